import type { Connection } from './connection.ts';
import type { LinkTargets, Ref } from './link-targets.ts';

/**
 * Resolves again the links that could mean a file of one of these folded names, after such files
 * appeared or went. Only those: what a link leads to depends on no other name.
 */
export function resolveAgain(
  connection: Connection,
  targets: LinkTargets,
  names: ReadonlySet<string>,
): void {
  if (names.size === 0) return;
  targets.namesChanged();
  const segments = new Set<string>();
  for (const name of names) {
    segments.add(name);
    if (name.endsWith('.md')) segments.add(name.slice(0, -'.md'.length));
  }
  const wanted = JSON.stringify(Array.from(segments));
  const refs = 'FROM json_each(?) j CROSS JOIN ref r ON r.segment = j.value';
  if (connection.count('SELECT EXISTS (SELECT 1 FROM ref) AS n') === 0) return;
  connection.makeLateIndexes();
  if (connection.count(`SELECT count(*) AS n ${refs}`, wanted) === 0) return;
  const edges = connection.all<Edge>(
    `SELECT r.path AS written, e.source, e.at, f.path AS path, e.target
     ${refs} CROSS JOIN edge e ON e.ref = r.id
     CROSS JOIN file f ON f.id = e.source`,
    wanted,
  );
  if (edges.length === 0) return;
  const found = targets.refsOf(edges.map((edge) => edge.written));
  edges.forEach(({ source, at, path, target }, index) => {
    const now = targets.targetOf(found[index] as Ref, { id: source, path });
    if (now === target) return;
    connection.run('UPDATE edge SET target = ? WHERE source = ? AND at = ?', now, source, at);
  });
}

interface Edge {
  readonly written: string;
  readonly source: number;
  readonly at: number;
  readonly path: string;
  readonly target: number | null;
}
