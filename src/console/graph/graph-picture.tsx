import { useEffect, useRef, useState } from 'preact/hooks';
import { folderOf } from '../../tools/wording/describe-change.ts';
import { Icon } from '../parts/icon.tsx';
import { graphStrings } from '../words/graph-strings.ts';
import { strings } from '../words/strings.ts';
import { type DrawnGraph, drawGraph } from './draw-graph.ts';
import { legendOf } from './graph-looks.ts';
import type { GraphNode, GraphShape } from './graph-shape.ts';

/** The graph as a picture, with its legend, and a card about the chosen node. */
export function GraphPicture({
  shape,
  layoutKey,
  onNoPicture,
  children,
}: {
  readonly shape: GraphShape;
  /** The same for the same graph. */
  readonly layoutKey: string;
  readonly onNoPicture: () => void;
  /** What can be done with the chosen node. */
  readonly children: (node: GraphNode) => preact.ComponentChildren;
}) {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnGraph | undefined>(undefined);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (container.current === null) return undefined;
    setDone(false);
    setChosen(undefined);
    const end = (): void => {
      drawn.current?.end();
      drawn.current = undefined;
    };
    try {
      const onDone = (): void => setDone(true);
      const options = { key: layoutKey, onSelect: setChosen, onDone };
      drawn.current = drawGraph(container.current, shape, options);
    } catch {
      onNoPicture();
    }
    return end;
  }, [layoutKey]);
  useEffect(() => drawn.current?.select(chosen), [chosen]);
  const node = shape.nodes.find(({ path }) => path === chosen);
  return (
    <div class="graph">
      <div
        class="graph-canvas"
        ref={container}
        role="img"
        aria-label={graphStrings.picture}
        data-drawn={isDone ? shape.nodes.length : undefined}
      />
      <Legend shape={shape} />
      {node === undefined ? undefined : (
        <section class="graph-card" aria-label={node.label}>
          <h2>
            <bdi>{node.label}</bdi>
          </h2>
          <p class="faint">
            {node.notes === undefined ? (
              <>
                <bdi>{folderOf(node.path)}</bdi> {graphStrings.links(node.links)}
              </>
            ) : (
              graphStrings.folderSize(node.notes, node.links)
            )}
          </p>
          <p class="graph-actions">
            {children(node)}
            <button type="button" class="btn small quiet" onClick={() => setChosen(undefined)}>
              {graphStrings.close}
            </button>
          </p>
        </section>
      )}
      <div class="graph-zoom">
        {(
          [
            ['in', graphStrings.zoomIn, 'plus'],
            ['out', graphStrings.zoomOut, 'minus'],
            ['all', graphStrings.zoomAll, 'whole'],
          ] as const
        ).map(([how, label, icon]) => (
          <button
            key={how}
            type="button"
            class="btn"
            aria-label={label}
            onClick={() => drawn.current?.zoom(how)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </div>
    </div>
  );
}

function Legend({ shape }: { readonly shape: GraphShape }) {
  if (shape.kind === 'folders') return null;
  const { groups, others } = legendOf(shape);
  return (
    <ul class="graph-legend" aria-label={graphStrings.listFolder}>
      {groups.map(({ group, nodes, colour }) => (
        <li key={group}>
          <i class={`dot dot-${colour}`} />
          <bdi>{group.slice(group.lastIndexOf('/') + 1) || graphStrings.root}</bdi>
          <span class="faint">{strings.number(nodes)}</span>
        </li>
      ))}
      {others > 0 ? <li class="faint">{graphStrings.moreGroups(others)}</li> : undefined}
    </ul>
  );
}
