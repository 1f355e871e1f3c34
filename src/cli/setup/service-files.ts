import { posix } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { appDataFolder, type UserPlace } from '../../node/place/app-folders.ts';
import type { ProgramPaths } from '../install/program-paths.ts';

/** The name of the service. */
export const serviceName = 'vaultdoor.service';

/** The words with which setup's server is started; its other options are in its settings. */
export const serveWords = ['serve', '--tools', 'notes'] as const;

/** The environment variables of the service. */
export type Settings = Readonly<Record<string, string>>;

/** What the part of the settings file says that setup has written. */
export interface KeptSettings {
  readonly settings: Settings;
  /** The name of the token that setup has made; absent when it made none. */
  readonly token?: string;
}

const marker = '# Written by "vaultdoor setup --server"';
const begin = `${marker}, which may write it anew up to the line "end".`;
const end = '# end';
const readsComment =
  '# Keeps for 30 days which notes apps read, without their text ("vaultdoor reads"). To turn it off, write VAULTDOOR_LOG_READS=false below "end".';

/** Where the service and its settings are. */
export function serviceFiles(place: UserPlace): { readonly unit: string; readonly env: string } {
  const folder = appDataFolder(place);
  return {
    unit: posix.join(folder, 'systemd', 'user', serviceName),
    env: posix.join(folder, 'vaultdoor', 'server.env'),
  };
}

/** Whether the text of a unit is one that setup has written. */
export function isOurUnit(text: string): boolean {
  return text.startsWith(marker);
}

/**
 * The unit of the service: that of `deploy/vaultdoor.service`, as far as a user's service may restrict
 * itself. It serves the toolset `notes`, which the apps on this machine have too.
 */
export function unitText({ node, script }: ProgramPaths, envFile: string): string {
  const command = [node, script, ...serveWords].map(unitWord).join(' ');
  return `${marker}; "vaultdoor setup --server --undo" removes it.
# To change something, run setup again, or use "systemctl --user edit vaultdoor".

[Unit]
Description=Vaultdoor, an Obsidian vault over MCP
# If the start fails, systemd tries again without end: the drive with the vault may be mounted later.
StartLimitIntervalSec=0

[Service]
EnvironmentFile=${envFile.replaceAll('%', '%%')}
ExecStart=${command}
Restart=always
RestartSec=5
# When stopped, the server finishes running calls (16 seconds at most) and closes the vault (10 at most).
TimeoutStopSec=40
KillMode=mixed
UMask=0077

# These restrictions are possible for a service of a user, without root.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
# The server needs AF_NETLINK to find the machine's own addresses.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# @chown: a replaced note keeps its group. @pkey: Node protects the code that it compiles.
SystemCallFilter=@chown @pkey
SystemCallErrorNumber=EPERM
# MemoryDenyWriteExecute is left out, because Node compiles code while it runs.

[Install]
WantedBy=default.target
`;
}

/** A word of ExecStart. systemd would replace `%` and `$`, which are written twice to stand for themselves. */
function unitWord(word: string): string {
  const text = oneLineOf(word).replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[\w/.:@+,=%$-]+$/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The settings that setup has written into the text of the file; undefined when there are none. */
export function settingsIn(text: string): KeptSettings | undefined {
  const block = blockIn(text);
  if (block === undefined) return undefined;
  const inner = text.slice(block.start, block.end).split('\n');
  const settings = inner.flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)="(.*)"$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, (value ?? '').replace(/\\(.)/g, '$1')]];
  });
  const [, token] = inner.map((line) => /^# token: ([\w-]+)$/.exec(line)).find(Boolean) ?? [];
  return {
    settings: Object.fromEntries(settings) as Settings,
    ...(token === undefined ? {} : { token }),
  };
}

/** The text of the file with these settings in place of those that setup wrote before. */
export function withSettings(text: string, { settings, token }: KeptSettings): string {
  const inner = [
    begin,
    ...Object.entries(settings).flatMap(([name, value]) => [
      ...(name === 'VAULTDOOR_LOG_READS' ? [readsComment] : []),
      `${name}="${quotedValue(value)}"`,
    ]),
    ...(token === undefined ? [] : [`# token: ${token}`]),
    end,
    '',
  ].join('\n');
  const block = blockIn(text);
  if (block !== undefined) return text.slice(0, block.start) + inner + othersAfter(text, block);
  return text === '' || text.endsWith('\n') ? text + inner : `${text}\n${inner}`;
}

/** The text of the file without what setup wrote. */
export function withoutSettings(text: string): string {
  const block = blockIn(text);
  return block === undefined ? text : text.slice(0, block.start) + othersAfter(text, block);
}

/** The names of the variables that others have added to the file. */
export function othersNames(text: string): readonly string[] {
  return Array.from(
    withoutSettings(text).matchAll(/^([A-Z_][A-Z0-9_]*)=/gm),
    ([, name = '']) => name,
  );
}

/** The lines of others that stand among those of setup, and all that follows. */
function othersAfter(text: string, { start, end: until }: { start: number; end: number }): string {
  const among = text.slice(start, until).split(/(?<=\n)/);
  return among.filter((line) => !ourLine.test(line)).join('') + text.slice(until);
}

/** The lines of setup. Their values are no secrets, unlike what others may add to the file. */
const ourLine =
  /^(?:# Written by "vaultdoor setup|# end\n?$|# token: |# Keeps for 30 days which notes |(?:VAULT_PATH|HOST|PORT|VAULTDOOR_(?:PUBLIC_URL|AUTH|OAUTH|READ_ONLY|PROPOSE|LOG_READS)|XDG_(?:STATE|CACHE)_HOME)=)/;

/** The text for printing, without the values of lines that setup does not write, also among its own. */
export function hideOthers(text: string): string {
  return text.replace(/^.+$/gm, (line) =>
    ourLine.test(line) ? line : `${/^(#|\w+=|)/.exec(line)?.[0]}…`,
  );
}

/**
 * Where the lines of setup are; undefined when there are none, or their end is missing. Where a person
 * has deleted an end, the block that setup wrote after it counts, so that lines in between stay.
 */
function blockIn(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = `\n${text}`.lastIndexOf(`\n${marker}`);
  const last = text.indexOf(`\n${end}\n`, start);
  return start === -1 || last === -1 ? undefined : { start, end: last + end.length + 2 };
}

function quotedValue(value: string): string {
  return oneLineOf(value).replace(/["\\$`]/g, '\\$&');
}

function oneLineOf(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  throw new VaultError(
    'invalid_input',
    'A path with a line break cannot be written into the settings of a service; rename the folder.',
  );
}
