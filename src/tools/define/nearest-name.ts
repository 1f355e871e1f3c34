import { foldName } from '../../base/vault-path.ts';
import { askedName, type Closeness, closeness } from '../../engine/text/closeness.ts';

/** The name that is most similar to the one asked for; undefined when none is similar. */
export function nearestName(asked: string, names: Iterable<string>): string | undefined {
  const wanted = askedName(asked);
  let nearest: { readonly name: string; readonly by: Closeness } | undefined;
  for (const name of names) {
    const by = closeness(wanted, foldName(name));
    if (by !== undefined && (nearest === undefined || isCloser(by, nearest.by))) {
      nearest = { name, by };
    }
  }
  return nearest?.name;
}

function isCloser([kind, detail]: Closeness, [otherKind, otherDetail]: Closeness): boolean {
  return kind < otherKind || (kind === otherKind && detail < otherDetail);
}
