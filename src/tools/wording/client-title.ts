import type { Door } from '../../base/caller.ts';
import { consolePageLimits } from '../../base/console-page-limits.ts';

/** Names that clients send, and what people call these programs. */
const titles: Readonly<Record<string, string>> = {
  'claude-ai': 'Claude Desktop',
  'claude-desktop': 'Claude Desktop',
  'claude desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  'claude code': 'Claude Code',
  'claude.ai': 'claude.ai',
  cursor: 'Cursor',
  'cursor-vscode': 'Cursor',
  'visual studio code': 'VS Code',
  'vs code': 'VS Code',
};

/** Over HTTP it is claude.ai, or an app that comes through it: Claude on a phone, or Claude Desktop. */
const overHttp: Readonly<Record<string, string>> = { 'claude-ai': 'Claude' };

/** The names that a client may have sent which people call so, or which sends this name itself. */
export function clientNamesFor(called: string): readonly string[] {
  const wanted = called.toLowerCase();
  const isCalled = (name: string): boolean =>
    [titles[name], overHttp[name]].some((title) => title?.toLowerCase() === wanted);
  const names = Object.keys(titles).filter(isCalled);
  return [called, ...names.filter((name) => name !== called)];
}

const ownerDoors: readonly Door[] = ['cli', 'console'];

/** What a caller is called that has not said its name. */
const doorTitles: Readonly<Record<Door, string>> = {
  cli: 'You',
  console: 'You',
  'mcp-stdio': 'An app',
  'mcp-http': 'An app',
  bridge: 'A script',
  remote: 'A remote app',
};

/** Who made a change or asks for something, in words. */
interface ClientTitle {
  readonly title: string;
  /** Absent where the client did not say it. */
  readonly version?: string;
  readonly isOwner: boolean;
}

/**
 * Names the client of a change. Its name is what the client says of itself, so it is cut to one
 * short line without characters that nobody sees, and without the dots with which the console
 * separates it from what stands beside it. A client that calls itself "You" would look like the
 * owner, so that is said.
 */
export function clientTitle(door: Door, client: string | undefined): ClientTitle {
  if (ownerDoors.includes(door)) return { title: doorTitles[door], isOwner: true };
  const { name, version } = splitClient(client ?? '');
  const key = name.toLowerCase();
  const known = (door === 'mcp-http' ? ownIn(overHttp, key) : undefined) ?? ownIn(titles, key);
  const said = key === 'you' ? `An app called “${name}”` : name;
  return {
    title: known ?? (name === '' ? doorTitles[door] : said),
    ...(version === undefined ? {} : { version }),
    isOwner: false,
  };
}

/** The title of a name; a name such as "constructor" has none. */
function ownIn(all: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(all, key) ? all[key] : undefined;
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
