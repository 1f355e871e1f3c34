import type { Door } from '../../base/caller.ts';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { strings } from './strings.ts';

/** Who made a change or asks for something, as the page shows it. */
export interface ShownClient {
  readonly name: string;
  /** Absent where the client did not say it. */
  readonly version?: string;
  /** Two letters for the small square beside the name. */
  readonly letters: string;
  /** Which of the six colours; 0 for the owner. */
  readonly colour: number;
  readonly isOwner: boolean;
}

/** Names that clients send, and what people call these programs. */
const known: Readonly<Record<string, readonly [name: string, letters: string, colour: number]>> = {
  'claude-ai': ['Claude Desktop', 'CD', 1],
  'claude-desktop': ['Claude Desktop', 'CD', 1],
  'claude-code': ['Claude Code', 'CC', 3],
  cursor: ['Cursor', 'Cu', 2],
  'cursor-vscode': ['Cursor', 'Cu', 2],
  'claude desktop': ['Claude Desktop', 'CD', 1],
  'claude code': ['Claude Code', 'CC', 3],
  'claude.ai': ['claude.ai', 'ai', 6],
  'visual studio code': ['VS Code', 'VS', 5],
  'vs code': ['VS Code', 'VS', 5],
};

const ownerDoors: readonly Door[] = ['cli', 'console'];

/**
 * Names the client of a change. Its name is what the client says of itself, so it is cut to one
 * short line without characters that nobody sees, and without the dots with which the page separates it
 * from what stands beside it.
 */
export function shownClient(door: Door, client: string | undefined): ShownClient {
  if (ownerDoors.includes(door)) {
    return { name: strings.you, letters: strings.youLetters, colour: 0, isOwner: true };
  }
  const { name, version } = splitClient(client ?? '');
  const key = name.toLowerCase();
  const familiar = Object.hasOwn(known, key) ? known[key] : undefined;
  // A client that calls itself "You" would look like the owner.
  const said = key === strings.you.toLowerCase() ? strings.selfNamed(name) : name;
  const shown = familiar?.[0] ?? (name === '' ? strings.doors[door] : said);
  return {
    name: shown,
    ...(version === undefined ? {} : { version }),
    letters: familiar?.[1] ?? lettersOf(shown),
    colour: familiar?.[2] ?? colourOf(shown),
    isOwner: false,
  };
}

/** The name that a client's filter uses, as the page shows it. */
export function shownClientName(name: string): string {
  return shownClient('mcp-http', name).name;
}

function splitClient(client: string): { name: string; version?: string } {
  const line = client
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}·]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const at = line.lastIndexOf('/');
  const [name, version] = at > 0 ? [line.slice(0, at), line.slice(at + 1)] : [line, undefined];
  const cut = (text: string): string =>
    Array.from(text).slice(0, consolePageLimits.clientCharsMax).join('');
  return { name: cut(name), ...(version === undefined ? {} : { version: cut(version) }) };
}

/** The first letters of the first two words, or of the only one. */
function lettersOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first, second] = words.map((word) => Array.from(word));
  if (first === undefined) return '?';
  if (second === undefined) return first.slice(0, 2).join('');
  return `${first[0] ?? ''}${second[0] ?? ''}`.toUpperCase();
}

/** The same colour for the same name. */
function colourOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return 1 + (sum % 6);
}
