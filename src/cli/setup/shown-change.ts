import { record } from '../../base/json.ts';
import { shellWord } from '../../base/shell-word.ts';
import { lineHunks } from '../../engine/text/line-hunks.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import type { PlannedFile } from '../install/apply-plan.ts';
import type { Client } from '../install/client-places.ts';
import { hideValues } from '../install/hide-values.ts';
import { valueAt } from '../install/plan-uninstall.ts';
import { readConfig } from '../install/read-config.ts';

type Section = Pick<Client, 'section'>;

/**
 * What changes in a client's file, for people: the lines of our entries that are added (`+`) or taken
 * out (`-`), as if each value had a line of its own. An entry of another server is one line without
 * its values, and only when it is taken out or put back. The rest of the file is not shown.
 */
function changeLines({ file, plan }: PlannedFile, { section }: Section): readonly string[] {
  const before = entryLines(file.path, file.text, section);
  const after = entryLines(file.path, plan.removesFile ? undefined : plan.text, section);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const old = before.get(name) ?? [];
    const put = after.get(name) ?? [];
    return lineHunks(old.map(bare), put.map(bare)).flatMap((hunk) => [
      ...old.slice(hunk.before.start, hunk.before.end).map((line) => `- ${line}`),
      ...put.slice(hunk.after.start, hunk.after.end).map((line) => `+ ${line}`),
    ]);
  });
}

/** The lines with a sentence above them that explains their signs, for printing. */
export function changeText(planned: PlannedFile, client: Section, paint: Paint): string {
  const shown = changeLines(planned, client);
  const isAdded = shown.some((line) => line.startsWith('+'));
  const isRemoved = shown.some((line) => line.startsWith('-'));
  const signs = [
    ...(isAdded ? ['Lines with + are added'] : []),
    ...(isRemoved ? [isAdded ? 'lines with - are taken out' : 'Lines with - are taken out'] : []),
  ];
  if (signs.length === 0) return '';
  const painted = paint
    .content(shown.join('\n'))
    .split('\n')
    .map((line) => `  ${line.startsWith('+') ? paint.good(line) : paint.bad(line)}`);
  return [`${signs.join(', ')}:`, '', ...painted, ''].join('\n');
}

/** The name of a server that is not ours, with the package that it starts where that can be told. */
export function otherName(text: string | undefined, name: string, { section }: Section): string {
  const found = packageOf(valueAt(text ?? '{}', [section, name]));
  return found === undefined ? `"${name}"` : `"${name}" (${found})`;
}

/**
 * The command line of a server that is not ours, for people. Words that may be secret are "…": all but
 * its program, the package that it starts, the names of options, and absolute paths.
 */
export function otherCommand(text: string | undefined, name: string, { section }: Section): string {
  const { command, args } = record(valueAt(text ?? '{}', [section, name]));
  const words = Array.isArray(args) ? args.map(String) : [];
  const starts = starters.test(String(command)) ? words.find((word) => !word.startsWith('-')) : '';
  const isShown = (word: string): boolean =>
    word === starts || /^(-[a-z]|--[a-z][a-z-]*)$/i.test(word) || /^(\/|~\/|[a-z]:\\)/i.test(word);
  const shown = words.map((word) =>
    isShown(word) ? word : word.replace(/^(--[a-z][a-z-]*=|).*$/is, '$1…'),
  );
  return [String(command ?? ''), ...shown]
    .map((word) => (word.includes('…') ? word : shellWord(word, process.platform)))
    .join(' ');
}

/** The programs that start a package by its name, which is their first argument without a dash. */
const starters = /^(?:.*[\\/])?(?:npx|bunx|pnpx|uvx)(?:\.cmd|\.exe)?$/i;
const formerMcpvault = /^@mauricio\.wolff\/mcp-obsidian(@|$)/i;
const packageName = /^(?:@[\w.-]+\/)?([a-z][\w.-]*)(?:@[\w.^~*-]+)?$/i;

/** The package that an entry starts. Nothing else of its arguments is shown: they may be secret. */
function packageOf(value: unknown): string | undefined {
  const { command, args } = record(value);
  if (!starters.test(String(command)) || !Array.isArray(args)) return undefined;
  const word = args.map(String).find((each) => !each.startsWith('-')) ?? '';
  // Another program is called mcp-obsidian, too.
  if (formerMcpvault.test(word)) return 'mcpvault, by its former name';
  return packageName.exec(word)?.[1];
}

/** The lines of each entry of a configuration, by its name. */
function entryLines(
  file: string,
  text: string | undefined,
  section: string,
): ReadonlyMap<string, readonly string[]> {
  const { servers } = readConfig({ file, text }, section);
  return new Map(
    servers.map(({ name, isOurs }) => {
      if (!isOurs) return [name, [`${JSON.stringify(name)}: { … }`]];
      const alone = { [section]: { [name]: valueAt(text ?? '', [section, name]) } };
      const pretty = hideValues(JSON.stringify(alone, undefined, 2), section).split('\n');
      return [name, pretty.slice(2, -2).map((line) => line.slice(4))];
    }),
  );
}

/** A line without the comma behind it, which comes and goes with the line after it. */
function bare(line: string): string {
  return line.replace(/,$/, '');
}
