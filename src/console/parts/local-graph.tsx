import { consolePageLimits } from '../../base/console-page-limits.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { notesStrings } from '../words/notes-strings.ts';
import { ringLayout } from './ring-layout.ts';

/** The notes around one, and the links between all of them. */
interface LocalGraphNotes {
  readonly nodes: readonly { readonly path: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

const size = { width: 240, height: 172 };
const shownNameChars = 18;

/** A note with those around it as a small picture; where notes have addresses, also as a list. */
export function LocalGraph({
  path,
  graph: { nodes, edges },
  addressOf,
}: {
  /** The note in the middle. */
  readonly path: string;
  readonly graph: LocalGraphNotes;
  readonly addressOf?: (path: string) => string;
}) {
  const around = nodes
    .filter((node) => node.path !== path)
    .slice(0, consolePageLimits.localGraphNotes)
    .map((node) => node.path);
  const points = ringLayout(around.length, size);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const outer = around.filter((_, i) => points[i]?.isOuter);
  const every = Math.max(1, Math.ceil(outer.length / consolePageLimits.localGraphNames));
  const named = outer.filter((_, i) => i % every === 0);
  const placeOf = new Map([
    [path, middle],
    ...around.map((at, i) => [at, points[i] ?? middle] as const),
  ]);
  const lines = edges.flatMap(({ from, to }) => {
    const [start, end] = [placeOf.get(from), placeOf.get(to)];
    const isOwn = from === path || to === path;
    return start === undefined || end === undefined || start === end ? [] : [{ start, end, isOwn }];
  });
  return (
    <>
      {/* A list below says the same, so the picture says nothing to a screen reader. */}
      <svg class="local-graph" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {lines.map(({ start, end, isOwn }) => (
          <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} class={isOwn ? '' : 'far'} />
        ))}
        {around.map((at, i) => {
          const { x, y } = points[i] ?? middle;
          const dot = (
            <circle key={at} cx={x} cy={y} r="5" class={`client-${colourOf(folderOf(at))}`}>
              <title>{noteName(at)}</title>
            </circle>
          );
          if (addressOf === undefined) return dot;
          return (
            <a key={at} href={addressOf(at)} tabindex={-1}>
              {dot}
            </a>
          );
        })}
        {named.map((at) => {
          const { x, y } = placeOf.get(at) ?? middle;
          return (
            <text key={at} x={x} y={y < middle.y ? y - 8 : y + 15} text-anchor="middle">
              {shortened(noteName(at))}
            </text>
          );
        })}
        <circle cx={middle.x} cy={middle.y} r="8" class="middle" />
      </svg>
      {addressOf === undefined ? undefined : (
        <details class="graph-list">
          <summary>{notesStrings.graphList}</summary>
          <ul>
            {around.map((at) => (
              <li key={at}>
                <a href={addressOf(at)}>
                  <bdi>{noteName(at)}</bdi>
                </a>{' '}
                <span class="faint">{relation(at, path, edges)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** How a note is linked with the one in the middle; empty where only others link them. */
function relation(at: string, path: string, edges: LocalGraphNotes['edges']): string {
  const isHere = edges.some(({ from, to }) => from === at && to === path);
  const isThere = edges.some(({ from, to }) => from === path && to === at);
  if (isHere && isThere) return notesStrings.bothWays;
  return isHere ? notesStrings.linksHere : isThere ? notesStrings.linkedFrom : '';
}

/** The same colour for the same folder. */
function colourOf(folder: string): number {
  let sum = 0;
  for (const letter of folder) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return 1 + (sum % 6);
}

function shortened(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= shownNameChars) return name;
  return `${letters.slice(0, shownNameChars - 1).join('')}…`;
}
