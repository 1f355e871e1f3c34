import { isGrantId } from '../../base/caller.ts';
import { oneLine, quotedLine, shownText } from '../../base/one-line.ts';
import type { Asker } from '../../engine/ports/questions.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { quotedCommand } from '../../tools/cli/text.ts';
import { clientNamesFor, clientTitle } from '../../tools/wording/client-title.ts';
import { commandText } from '../shell/command-text.ts';
import type { TokenNames } from '../vaults/token-names.ts';

const nameCharsMax = 60;
const lineCharsMax = 1_000;

/** A path, or words of others, as part of a line in which every character is seen. */
export function shownLine(text: string): string {
  return oneLine(shownText(text.replace(/[\t-\r\u2028\u2029]+/g, ' ')), lineCharsMax);
}

/**
 * Who asks or proposes. The client's name is what the client says of itself, so it stands in quotes
 * and can neither begin a line of its own nor pass for what we know: the door, token and session.
 */
export function askerText(asker: Asker, tokens: TokenNames): string {
  const { door, client, connection, token } = asker;
  const known = [
    door,
    ...(token === undefined ? [] : [tokenText(token, tokens)]),
    ...(connection === undefined ? [] : [`session ${oneLine(connection, nameCharsMax)}`]),
  ];
  const name = client === undefined ? 'an app without a name' : quotedLine(client, nameCharsMax);
  const { title } = clientTitle(door, client);
  // An app has the same name here as in lists; what it calls itself stands behind it.
  return isFamiliar(client, title)
    ? `${title} (${[name, ...known].join(', ')})`
    : `${name} (${known.join(', ')})`;
}

/** Whether a client's title is ours, and not what the client calls itself. */
function isFamiliar(client: string | undefined, title: string): boolean {
  return client !== undefined && clientNamesFor(title).length > 1;
}

/**
 * The same in short, for lists: the title of an app that is known, otherwise the name in quotes, and
 * the token that it came with.
 */
export function appText({ door, client, token }: Asker, tokens: TokenNames): string {
  const { title } = clientTitle(door, client);
  const isKnown = client === undefined || isFamiliar(client, title);
  const name = isKnown ? title : quotedLine(title, nameCharsMax);
  return token === undefined ? name : `${name} (${tokenText(token, tokens)})`;
}

function tokenText(id: string, tokens: TokenNames): string {
  const name = tokens.get(id);
  const shown = oneLine(id, nameCharsMax);
  if (isGrantId(id)) {
    // Several connections may have the same name, which the client has chosen.
    const ended =
      name === undefined ? ', which has ended' : ` of ${quotedLine(name, nameCharsMax)}`;
    return `connection ${shown}${ended}`;
  }
  return name === undefined
    ? `token ${shown}, which is revoked`
    : `token ${oneLine(name, nameCharsMax)}`;
}

/** A moment, in local time. */
export function momentText(ms: number): string {
  return formatDate(ms, 'YYYY-MM-DD HH:mm');
}

/** How long something is still kept. */
export function waitsText(untilMs: number): string {
  const minutes = Math.max(1, Math.ceil((untilMs - Date.now()) / 60_000));
  if (minutes < 120) return `waits ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `waits ${hours} more hours` : `waits ${Math.round(hours / 24)} more days`;
}

/** A command to type next, for the same vault; in quotes, as part of a sentence. */
export function nextCommand(words: string, vault: string | undefined): string {
  return quotedCommand(commandText(words.split(' '), vault));
}
