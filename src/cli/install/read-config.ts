import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import { jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import { plainJson } from './plain-json.ts';
import { type Server, serverOf } from './server-entry.ts';

/** A configuration that was read and can be edited. */
export interface Config {
  /** The text to edit. It is `{}` where the file is empty or missing. */
  readonly text: string;
  readonly servers: readonly Server[];
}

/**
 * Reads a client's configuration. Comments and trailing commas are allowed, as in editors. Fails with
 * `invalid_input` when the text does not have the expected form: such a file is never written.
 */
export function readConfig(
  { file, text = '' }: { file: string; text?: string | undefined },
  section: string,
): Config {
  if (text.trim() === '') {
    return { text: `${text.startsWith('\ufeff') ? '\ufeff' : ''}{}\n`, servers: [] };
  }
  const { json } = plainJson(text);
  const result = parseJsonRanges(json);
  if ('failedAt' in result) {
    throw refusal(file, `is not valid JSON (${placeOf(json, result.failedAt)})`);
  }
  if (result.root.type !== 'object') throw refusal(file, 'is not a JSON object');
  const servers = jsonEntry(result.root, section);
  if (servers === undefined) return { text, servers: [] };
  if (servers.type !== 'object')
    throw refusal(file, `has something under "${section}" that is not an object`);
  // Of two equal keys, clients read only one, and we might edit the other.
  const keys = [
    ...servers.entries.map(({ key }) => key),
    ...result.root.entries.filter(({ key }) => key === section).map(() => section),
  ];
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  if (twice !== undefined) throw refusal(file, `has "${twice}" twice`);
  const values = Object.entries(
    JSON.parse(json.slice(servers.range.start, servers.range.end)) as Record<string, unknown>,
  );
  return { text, servers: values.map(([name, value]) => serverOf(name, value)) };
}

/**
 * The lines in which to look for a mistake, with its column where the text is one line. Where a line begins with what cannot be read, the mistake
 * may be a comma that is missing at the end of the one before; behind the end, the last line is meant.
 */
function placeOf(text: string, failedAt: number): string {
  const lines = new LineIndex(text);
  const before = text.slice(0, failedAt).trimEnd();
  if (!/[\r\n]/.test(text.trim())) {
    const { line, col } = lines.positionAt(failedAt);
    if (text.slice(failedAt).trim() !== '') return `line ${line + 1}, column ${col + 1}`;
    return `line ${lines.lineAt(before.length) + 1}, at its end`;
  }
  const last = lines.lineAt(Math.max(before.length - 1, 0)) + 1;
  const line = lines.lineAt(failedAt) + 1;
  if (text.slice(failedAt).trim() === '') return `line ${last}`;
  if (line === last || /[,:{[]$/.test(before)) return `line ${line}`;
  return `line ${last} or ${line}`;
}

function refusal(file: string, fault: string): VaultError {
  return new VaultError(
    'invalid_input',
    `"${file}" ${fault}; the program has not touched it. Repair it and try again.`,
    { details: { file, fault } },
  );
}
