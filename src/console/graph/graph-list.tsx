import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { folderOf } from '../../tools/wording/describe-change.ts';
import { scrolling } from '../parts/scrolling.ts';
import { graphStrings } from '../words/graph-strings.ts';
import { strings } from '../words/strings.ts';
import type { GraphNode, GraphShape } from './graph-shape.ts';

/** The graph as a table, which is what a screen reader gets: the best linked first. */
export function GraphList({
  shape,
  addressOf,
}: {
  readonly shape: GraphShape;
  readonly addressOf: (node: GraphNode) => string;
}) {
  const [shown, setShown] = useState<number>(consolePageLimits.graphListPage);
  const isFolders = shape.kind === 'folders';
  const rows = shape.nodes.toSorted((a, b) => b.links - a.links);
  return (
    <section class="scroll pad" {...scrolling} aria-label={graphStrings.list}>
      <table class="graph-table">
        <thead>
          <tr>
            <th scope="col">{isFolders ? graphStrings.listFolder : graphStrings.listNote}</th>
            <th scope="col">{isFolders ? graphStrings.listNotes : graphStrings.listFolder}</th>
            <th scope="col">{graphStrings.listLinks}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((node) => (
            <tr key={node.path}>
              <th scope="row">
                <a href={addressOf(node)}>
                  <bdi>{node.label}</bdi>
                </a>
              </th>
              <td>
                <bdi>{isFolders ? strings.number(node.notes ?? 0) : folderOf(node.path)}</bdi>
              </td>
              <td>{strings.number(node.links)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown ? (
        <button
          type="button"
          class="btn"
          onClick={() => setShown(shown + consolePageLimits.graphListPage)}
        >
          {graphStrings.showMore(shown, rows.length)}
        </button>
      ) : undefined}
    </section>
  );
}
