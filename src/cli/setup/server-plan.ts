import { isAbsolute } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { diffText } from '../../tools/cli/change-text.ts';
import { isChange, type PlannedFile } from '../install/apply-plan.ts';
import type { Machine } from '../install/client-places.ts';
import { type ConfigFile, readConfigFile } from '../install/config-file.ts';
import type { ProgramPaths } from '../install/program-paths.ts';
import { everyAddress } from '../servers/serve-text.ts';
import type { Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import type { Allowed } from './allowed.ts';
import type { ServerAddress } from './server-address.ts';
import {
  hideOthers,
  isOurUnit,
  type KeptSettings,
  type Settings,
  serviceFiles,
  settingsIn,
  unitText,
  withSettings,
} from './service-files.ts';
import type { Access } from './setup-options.ts';

/** The files of a server on this machine as they are now. */
export interface ServerFiles {
  readonly unit: ConfigFile;
  readonly env: ConfigFile;
  /** Absent when setup has set up no server yet. */
  readonly kept?: KeptSettings;
}

/** What was decided about a server. */
export interface DecidedServer {
  readonly vaultPath: string;
  readonly address: ServerAddress;
  readonly port: number;
  /** Absent when clients need nothing to come in. */
  readonly access?: Access;
  readonly allow: Allowed;
}

/** Reads the files. Fails with `already_exists` for a unit that setup has not written. */
export async function readServerFiles(machine: Machine): Promise<ServerFiles> {
  const paths = serviceFiles(machine);
  const unit = await readConfigFile(paths.unit);
  const env = await readConfigFile(paths.env);
  if (unit.text !== undefined && !isOurUnit(unit.text)) {
    throw new VaultError(
      'already_exists',
      `There is a service "${unit.path}" that setup has not written. Move it away, or keep it and do without setup.`,
    );
  }
  const kept = settingsIn(env.text ?? '');
  return { unit, env, ...(kept === undefined ? {} : { kept }) };
}

/** The variables with which `vaultdoor serve` does what was decided. */
export function settingsFor(decided: DecidedServer, env: Shell['env']): Settings {
  const { vaultPath, address, port, access, allow } = decided;
  const { publicUrl } = address;
  const places = ['XDG_STATE_HOME', 'XDG_CACHE_HOME'].flatMap((name) => {
    const value = env[name] ?? '';
    return isAbsolute(value) ? [[name, value]] : [];
  });
  return {
    VAULT_PATH: vaultPath,
    HOST: address.host,
    PORT: String(port),
    ...(publicUrl === undefined ? {} : { VAULTDOOR_PUBLIC_URL: publicUrl }),
    ...(access === 'token' ? { VAULTDOOR_AUTH: 'token' } : {}),
    ...(access === 'token' && publicUrl !== undefined ? { VAULTDOOR_OAUTH: 'off' } : {}),
    ...(allow === 'read' ? { VAULTDOOR_READ_ONLY: 'true' } : {}),
    ...(allow === 'propose' ? { VAULTDOOR_PROPOSE: 'true' } : {}),
    VAULTDOOR_LOG_READS: 'true',
    // The service does not know the variables of the shell, and would look for tokens elsewhere.
    ...Object.fromEntries(places),
  };
}

/** What the settings say that setup has written; nothing without any. */
export function decidedIn(kept: KeptSettings | undefined): Partial<DecidedServer> {
  if (kept === undefined) return {};
  const {
    VAULT_PATH: vaultPath,
    HOST: host,
    PORT: port,
    VAULTDOOR_PUBLIC_URL: publicUrl,
    VAULTDOOR_AUTH: auth,
    VAULTDOOR_READ_ONLY: readOnly,
    VAULTDOOR_PROPOSE: propose,
  } = kept.settings;
  const address =
    host === undefined ? undefined : { host, ...(publicUrl === undefined ? {} : { publicUrl }) };
  const access = auth === 'token' ? 'token' : publicUrl === undefined ? undefined : 'sign-in';
  return {
    ...(vaultPath === undefined ? {} : { vaultPath }),
    ...(address === undefined ? {} : { address }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(access === undefined ? {} : { access }),
    allow: readOnly === 'true' ? 'read' : propose === 'true' ? 'propose' : 'change',
  };
}

/** The plans for the unit and for its settings. */
export function planServer(
  { unit, env }: ServerFiles,
  kept: KeptSettings,
  paths: ProgramPaths,
): readonly PlannedFile[] {
  return [
    { file: env, plan: { text: withSettings(env.text ?? '', kept), entries: [] } },
    { file: unit, plan: { text: unitText(paths, env.path), entries: [] } },
  ];
}

/** The address at which this machine reaches the server. */
export function originOf({ address, port }: Pick<DecidedServer, 'address' | 'port'>): string {
  const host = everyAddress.includes(address.host) ? '127.0.0.1' : address.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Shows what changes in these files, without variables that others have added to them. */
export function serverDiffs(files: readonly PlannedFile[]): readonly string[] {
  return files.filter(isChange).map(({ file, plan }) => {
    const path = file.path.replace(/^\/+/, '');
    const shown = (text: string): string =>
      path.endsWith('.env') ? hideOthers(text) : text.replace(/^(Environment=).+$/gm, '$1…');
    return unifiedDiff({
      ...(file.text === undefined ? {} : { from: path }),
      ...(plan.removesFile ? {} : { to: path }),
      before: shown(file.text ?? ''),
      after: shown(plan.text),
    });
  });
}

/** Prints the changes. */
export function showServerChanges(shell: Shell, files: readonly PlannedFile[]): void {
  const paint = paintFor(shell.stdout, shell.env);
  for (const diff of serverDiffs(files)) shell.stdout.write(`\n${diffText(diff, paint)}`);
}
