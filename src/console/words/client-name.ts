import { type Door, isGrantId } from '../../base/caller.ts';
import { clientTitle } from '../../tools/wording/client-title.ts';
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

/** The letters and colours of programs that many people use. */
const known: Readonly<Record<string, readonly [letters: string, colour: number]>> = {
  'Claude Desktop': ['CD', 1],
  'Claude Code': ['CC', 3],
  Cursor: ['Cu', 2],
  'claude.ai': ['ai', 6],
  Claude: ['Cl', 6],
  'VS Code': ['VS', 5],
};

/** Names the client of a change; see `clientTitle`. */
export function shownClient(door: Door, client: string | undefined): ShownClient {
  const { title, version, isOwner } = clientTitle(door, client);
  if (isOwner) return { name: title, letters: strings.youLetters, colour: 0, isOwner };
  const familiar = Object.hasOwn(known, title) ? known[title] : undefined;
  return {
    name: title,
    ...(version === undefined ? {} : { version }),
    letters: familiar?.[0] ?? lettersOf(title),
    colour: familiar?.[1] ?? colourOf(title),
    isOwner,
  };
}

/** With which token a client comes, or as which app it has signed in; undefined where it is not known. */
export function tokenWords({
  token,
  tokenName,
}: {
  readonly token?: string | undefined;
  readonly tokenName?: string | undefined;
}): string | undefined {
  if (tokenName === undefined || tokenName === '') return undefined;
  return isGrantId(token ?? '') ? strings.signedInAs(tokenName) : strings.withToken(tokenName);
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
