import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptToken, TokenBook } from '../../oauth/ports/token-book.ts';
import { table } from '../../tools/cli/table.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { chooseVaults, serveVariables, type VaultChoice } from '../options/choose-vault.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { hint } from '../options/program-text.ts';
import { readTokenOptions, type TokenOptions } from '../options/token-options.ts';
import { print, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { withClusterBooks } from '../vaults/cluster-access.ts';
import { openVaultTokens } from '../vaults/server-files.ts';
import { shownStateFolder } from '../vaults/state-folder.ts';

const help = `Usage: vaultdoor token create <name> [options]
       vaultdoor token list
       vaultdoor token revoke <id or name>

Make, list and revoke the tokens of apps that connect to "vaultdoor serve". A token is shown once,
when it is made; only its hash is kept, outside of the vault. A revoked token is refused from the next
request on; the server need not be restarted.

  --vault <folder>    The vault; otherwise VAULT_PATH or OBSIDIAN_VAULT_PATH. Repeat it for a token
                      of several vaults that are served together. With --cluster: the name of a
                      vault in the cluster, for a token that is not for all of them.
  --read-only         The app may change nothing.
  --propose           The app may read, and propose changes: you accept or refuse each of them
                      with "vaultdoor proposals".
  --scope <read,write,destroy,propose>
                      What the app may do (default: everything but propose): read notes; write
                      (create and change) them; destroy: delete them, undo changes, sync the vault;
                      propose: ask for whatever else it may not do.
  --folder <folder>   The app sees only this folder of the vault; may be repeated.
  --tools <notes|obsidian|agent>
                      The toolset that the app gets, or several, separated by commas (default:
                      that of the server).
  --expires <days>    The token expires after this many days (default: never).
${clusterHelp}  --json              The whole answer as JSON.

Examples:
  vaultdoor token create laptop
  vaultdoor token create script --read-only --folder Projects --expires 30
  vaultdoor token revoke laptop
`;

/** `vaultdoor token`: makes, lists and revokes the tokens of clients that connect over HTTP. */
export const tokenProgram: Program = { help, run };

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withClusterBooks(shell, argv, (cluster, rest) => {
    const options = readTokenOptions(rest);
    if (cluster !== undefined) return carryOut(shell, options, { book: cluster.tokens });
    const choices = chooseVaults(options.vaults, shell, serveVariables);
    return carryOut(shell, options, { book: openVaultTokens(choices, shell.env), choices });
  });
}

async function carryOut(
  shell: Shell,
  options: TokenOptions,
  /** Without `choices`, the vaults of the options are those of a cluster, by their names. */
  { book, choices }: { readonly book: TokenBook; readonly choices?: readonly VaultChoice[] },
): Promise<number> {
  switch (options.action) {
    case 'create': {
      if (choices !== undefined) warnOfMissingFolders(shell, options.folders, choices);
      const { name, effects, folders, tools, lastsMs, vaults } = options;
      const only = {
        ...(tools === undefined ? {} : { tools }),
        ...(choices !== undefined || vaults.length === 0 ? {} : { vaults }),
      };
      const ends = lastsMs === undefined ? {} : { expiresMs: Date.now() + lastsMs };
      const { token, kept } = await book.create({ name, effects, folders, ...only, ...ends });
      return answer(shell, options, { value: { ...kept, token }, text: created(kept, token) });
    }
    case 'list': {
      const tokens = await book.list();
      if (tokens.length === 0 && !options.json) return remark(shell, noTokens(shell));
      const text = listed(tokens, paintFor(shell.stdout, shell.env));
      return answer(shell, options, { value: { tokens }, text });
    }
    case 'revoke': {
      const kept = await book.revoke(options.token);
      const text = `Revoked the token "${kept.name}" (${kept.id}).\n`;
      return answer(shell, options, { value: kept, text });
    }
  }
}

function answer(
  shell: Shell,
  { json }: TokenOptions,
  { value, text }: { readonly value: object; readonly text: string },
): number {
  return print(shell, json ? `${JSON.stringify(value, undefined, 2)}\n` : text);
}

/** Warns of folders that do not exist: a token for a misspelled folder would see nothing. */
function warnOfMissingFolders(
  shell: Shell,
  folders: KeptToken['folders'],
  choices: readonly VaultChoice[],
): void {
  for (const folder of folders) {
    if (choices.some(({ path }) => existsSync(join(path, folder)))) continue;
    shell.stderr.write(`vaultdoor: There is no folder "${folder}" in the vault yet.\n`);
  }
}

function created(kept: KeptToken, token: string): string {
  return [
    `Made the token "${kept.name}" (${kept.id}): ${mayDo(kept)}, ${sees(kept)},${kept.tools === undefined ? '' : ` ${has(kept)},`} ${ends(kept)}.`,
    'It is shown only now. Keep it where the app keeps its secrets:',
    '',
    `  ${token}`,
    '',
    'Claude Code, with the address that "vaultdoor serve" prints:',
    '',
    `  claude mcp add --scope user --transport http vaultdoor <address> --header "Authorization: Bearer ${token}"`,
    '',
  ].join('\n');
}

function noTokens({ env }: Shell): string {
  return `There are no tokens of this vault in ${shownStateFolder(env)}; ${hint('token create <name>')} makes one.`;
}

function listed(tokens: readonly KeptToken[], paint: Paint): string {
  const hasTools = tokens.some(({ tools }) => tools !== undefined);
  return lines(
    table(
      [
        { title: 'id', whole: true },
        { title: 'name' },
        { title: 'may' },
        { title: 'sees' },
        ...(hasTools ? [{ title: 'tools' }] : []),
        { title: 'made', whole: true },
        { title: 'ends', whole: true },
      ],
      tokens.map((kept) => [
        kept.id,
        plain(kept.name),
        mayDo(kept),
        plain(sees(kept)),
        ...(hasTools ? [has(kept)] : []),
        `made ${dayOf(kept.createdMs)}`,
        ends(kept),
      ]),
      paint,
    ),
  );
}

function mayDo({ effects }: KeptToken): string {
  return effects.join(' ');
}

function sees({ folders, vaults }: KeptToken): string {
  const within = folders.includes('')
    ? 'the whole vault'
    : folders.map((folder) => `${folder}/`).join(' ');
  return vaults === undefined ? within : `${within} (${vaults.join(', ')})`;
}

function has({ tools }: KeptToken): string {
  return tools === undefined ? 'tools of the server' : `tools ${tools.join(' ')}`;
}

function ends({ expiresMs }: KeptToken): string {
  if (expiresMs === undefined) return 'never ends';
  return `${expiresMs <= Date.now() ? 'ended' : 'ends'} ${dayOf(expiresMs)}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
