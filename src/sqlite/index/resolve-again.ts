import type { IndexConnection } from '../tables/index-connection.ts';
import type { LinkTargets, Ref } from './link-targets.ts';

const fewNames = 8;
const manyRefs = 5_000;

/**
 * Resolves again the links that could mean a file of one of these folded names, after such files were
 * added or removed. The targets of all other links stay the same.
 *
 * A `ref` is a link path, stored once for all links that are written with it; its `segment` is the
 * last name in the path, folded. `Ref.anywhere` is the target if it is the same from every source.
 * Tables: see `indexSchema`.
 */
export function resolveAgain(
  connection: IndexConnection,
  targets: LinkTargets,
  names: ReadonlySet<string>,
): void {
  if (names.size === 0) return;
  targets.namesChanged();
  const segments = new Set<string>();
  for (const name of names) {
    // A link finds a note with or without its extension.
    segments.add(name);
    if (name.endsWith('.md')) segments.add(name.slice(0, -'.md'.length));
  }
  const { isBuilding } = connection;
  const enough = isBuilding ? manyRefs : 1;
  const refs = connection.count(`SELECT count(*) AS n FROM (SELECT 1 FROM ref LIMIT ${enough})`);
  // Without links there is nothing to resolve, and the late SQL indexes need not be built yet.
  if (refs === 0) return;
  // For a few names during the first build, reading all links costs less than keeping the indexes; and
  // so it does for the few links of files that a caller has waited for before all names were known.
  const areFew = refs < enough;
  if (!areFew && (names.size > fewNames || !isBuilding)) connection.makeLateIndexes();
  const linkPaths = areFew
    ? connection
        .all<{ path: string; segment: string }>('SELECT path, segment FROM ref')
        .filter(({ segment }) => segments.has(segment))
    : connection.all<{ path: string }>(
        'SELECT r.path FROM json_each(?) j CROSS JOIN ref r ON r.segment = j.value',
        JSON.stringify(Array.from(segments)),
      );
  for (const ref of targets.refsOf(linkPaths.map(({ path }) => path))) {
    if (ref.anywhere === undefined) resolveEach(connection, targets, ref);
    else {
      // The target is the same from everywhere, so one statement is enough for all links to it.
      connection.run(
        'UPDATE edge SET target = ? WHERE ref = ? AND target IS NOT ?',
        ref.anywhere,
        ref.id,
        ref.anywhere,
      );
    }
  }
}

/** Resolves the links with this path, one by one, because the target depends on the source. */
function resolveEach(connection: IndexConnection, targets: LinkTargets, ref: Ref): void {
  const edges = connection.all<Edge>(
    `SELECT e.source, e.at, f.path AS path, e.target
     FROM edge e CROSS JOIN file f ON f.id = e.source WHERE e.ref = ?`,
    ref.id,
  );
  for (const { source, at, path, target } of edges) {
    const now = targets.targetOf(ref, { id: source, path });
    if (now === target) continue;
    connection.run('UPDATE edge SET target = ? WHERE source = ? AND at = ?', now, source, at);
  }
}

interface Edge {
  readonly source: number;
  readonly at: number;
  readonly path: string;
  readonly target: number | null;
}
