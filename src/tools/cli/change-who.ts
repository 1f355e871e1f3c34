import { z } from 'zod';
import { isGrantId } from '../../base/caller.ts';
import { oneLine, quotedLine } from '../../base/one-line.ts';
import type { Paint } from '../define/define-tool.ts';
import { clientTitle } from '../wording/client-title.ts';
import { plain } from './text.ts';

const nameCharsMax = 60;

/** Who made a change, as answers have it. */
export const ChangeAuthorShape = {
  door: z.enum(['cli', 'mcp-stdio', 'mcp-http', 'bridge', 'remote', 'console']),
  client: z.string().optional(),
  /** The connection of an app, or the name that a script gave: what `--session` takes. */
  session: z.string().optional(),
  /** The id of the token or grant that the client came with. */
  token: z.string().optional(),
};
type ChangeAuthor = z.output<z.ZodObject<typeof ChangeAuthorShape>>;

/** A change with its connection under the name that options and lists have for it. */
export function withSession<Change extends { readonly connection?: string | undefined }>({
  connection,
  ...change
}: Change): Omit<Change, 'connection'> & { readonly session?: string } {
  return connection === undefined ? change : { ...change, session: connection };
}

/**
 * Who made a change: "you", with "console" or the name that a script gave its session; or the client
 * and the token it came with.
 */
export function whoText(change: ChangeAuthor, paint: Paint): string {
  const { door, client, session, token } = change;
  const { title, isOwner } = clientTitle(door, client);
  if (isOwner) {
    // A session of the console has an id that says nothing to a reader.
    const where = door === 'console' ? 'console' : session;
    return where === undefined ? 'you' : plain(`you, ${where}`);
  }
  if (token === undefined) return plain(title);
  if (!isGrantId(token)) return plain(`${title}, ${tokenText(token, paint)}`);
  // The owner has allowed it under this name, which the client has chosen as well.
  const name = paint.nameOf?.(token);
  const isKnown = name === undefined || name === '' || name === title;
  return plain(isKnown ? title : `${title}, signed in as ${oneLine(name, nameCharsMax)}`);
}

/** "vaultdoor token list" and "vaultdoor connections list" show whose ids these are. */
export function tokenText(id: string, { nameOf }: Paint): string {
  const name = nameOf?.(id);
  const of = name === undefined ? '' : ` of ${quotedLine(name, nameCharsMax)}`;
  if (isGrantId(id)) return plain(`connection ${id}${of}`);
  return plain(`token ${name === undefined ? id : oneLine(name, nameCharsMax)}`);
}
