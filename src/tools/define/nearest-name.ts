import { foldName } from '../../base/vault-path.ts';
import { askedName, type Closeness, closeness } from '../../engine/text/closeness.ts';

/** Names that share only some of their words are not meant: `get_note` is not `search_notes`. */
const sharesWords = 7;
/** A name that only contains one or two letters is not meant by them; one that begins so may be. */
const contains = 2;
const fewChars = 2;
/** Two mistakes in five letters make another word: `limit` is not `list`. */
const mistyped = 5;
const lettersPerMistake = 3;

/** The name that is most similar to the one asked for; undefined when none is similar. */
export function nearestName(asked: string, names: Iterable<string>): string | undefined {
  const wanted = askedName(asked);
  const kindEnd = wanted.text.length > fewChars ? sharesWords : contains;
  let nearest: { readonly name: string; readonly by: Closeness } | undefined;
  for (const name of names) {
    const by = closeness(wanted, foldName(name));
    if (
      by !== undefined &&
      by[0] < kindEnd &&
      (by[0] !== mistyped || by[1] * lettersPerMistake <= wanted.text.length) &&
      (nearest === undefined || isCloser(by, nearest.by))
    ) {
      nearest = { name, by };
    }
  }
  return nearest?.name;
}

function isCloser([kind, detail]: Closeness, [otherKind, otherDetail]: Closeness): boolean {
  return kind < otherKind || (kind === otherKind && detail < otherDetail);
}
