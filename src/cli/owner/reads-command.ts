import { oneLine } from '../../base/one-line.ts';
import { isInside, type VaultFolder } from '../../base/vault-path.ts';
import type { ReadEntry } from '../../engine/ports/read-log.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { table } from '../../tools/cli/table.ts';
import { lines } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { sinceMs } from '../../tools/wording/since.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { hint } from '../options/program-text.ts';
import { readReadsOptions } from '../options/reads-options.ts';
import { print, printJson, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { type TokenNames, tokenNames, withTokenName } from '../vaults/token-names.ts';
import { vaultPlaces } from '../vaults/vault-places.ts';
import { openVaultReads } from '../vaults/vault-reads.ts';
import { appText } from './owner-words.ts';

const help = `Usage: vaultdoor reads [options]

List which notes and files apps have read, newest first: when, with which tool, how many bytes.
Servers log this only if they were started with --log-reads; for an app that starts Vaultdoor itself,
"vaultdoor install claude-code -- --log-reads" turns it on. It is kept for 30 days outside of the vault,
without texts and searches.

  --vault <folder>    The vault; otherwise OBSIDIAN_VAULT_PATH, VAULT_PATH, the vault that the current
                      folder is in, or the only one that is known.
  --client <name>     Only what apps read that have this in their names.
  --path <path>       Only reads of this file, or of files in this folder.
  --since <time>      Only what was read since then: 30m, 2h, 3d or 1w (so long ago), or a date or
                      time like 2026-11-09T18:30.
  --limit <count>     How many calls to list (default: 50).
  --json              The answer as JSON.

Examples:
  vaultdoor reads
  vaultdoor reads --client claude --since 2h
  vaultdoor reads --path Journal
`;

/** `vaultdoor reads`: lists what clients have read. */
export const readsProgram: Program = { help, run };

/** How many paths of one call are listed; `--json` has all of them. */
const pathsShown = 5;
const nameCharsMax = 60;
const pathCharsMax = 200;

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const { vault, since, json, ...filter } = readReadsOptions(argv);
  const choice = chooseVault(vault, shell);
  const { folders } = vaultPlaces(choice, shell.env);
  const wanted = { ...filter, ...sinceMs(since, Date.now()) };
  const { items, more, isEmpty } = await openVaultReads(folders).entries(wanted);
  const tokens = await tokenNames(choice, shell);
  if (json)
    return printJson(shell, { reads: items.map((each) => withTokenName(each, tokens)), more });
  const paint = paintFor(shell.stdout, shell.env, vault);
  if (items.length > 0) {
    print(shell, listed(items, { path: filter.path ?? '', tokens, paint }));
    return more ? remark(shell, 'Older reads are not shown; give a larger --limit.') : 0;
  }
  return remark(
    shell,
    isEmpty
      ? `Nothing is logged: start the server with --log-reads. For an app that starts Vaultdoor itself: ${hint('install claude-code -- --log-reads')}.`
      : 'No such reads are logged. Servers log them only if they were started with --log-reads.',
  );
}

/** The calls, under a line for each run of calls by one caller on one day. */
function listed(
  entries: readonly ReadEntry[],
  asked: {
    readonly path: VaultFolder;
    readonly tokens: TokenNames;
    readonly paint: Paint;
  },
): string {
  const { path, tokens, paint } = asked;
  const rows = table(
    [
      { title: 'time', whole: true },
      { title: 'tool' },
      { title: 'size', align: 'right', whole: true },
      { title: 'notes' },
    ],
    entries.map((entry) => [
      formatDate(entry.timeMs, 'HH:mm:ss'),
      shown(entry.tool),
      sizeText(entry.bytes),
      pathsText(entry, path),
    ]),
    {
      ...paint,
      ...(paint.columns === undefined ? {} : { columns: paint.columns - indent.length }),
    },
  );
  const texts = rows.slice(0, rows.length - entries.length).map((title) => indent + title);
  let last = '';
  for (const [at, entry] of entries.entries()) {
    const who = `${formatDate(entry.timeMs, 'YYYY-MM-DD')}  ${appText(entry, tokens)}`;
    if (who !== last) texts.push(...(last === '' ? [] : ['']), who);
    last = who;
    texts.push(indent + (rows[rows.length - entries.length + at] ?? ''));
  }
  return lines(texts);
}

const indent = '  ';

/** The first paths of a call, those that were asked for before others. */
function pathsText({ paths, morePaths = 0 }: ReadEntry, asked: VaultFolder): string {
  const isAsked = (path: string): boolean => path === asked || isInside(path, asked);
  const some = paths.filter(isAsked);
  const names = some.slice(0, pathsShown).map((path) => oneLine(path, pathCharsMax));
  const rest = paths.length + morePaths - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function shown(name: string): string {
  return oneLine(name, nameCharsMax);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
