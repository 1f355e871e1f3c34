import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrolling } from './scrolling.ts';

/** A column of a plot's table, or a colour of its bars. Colour 0 is the owner's. */
interface PlotSeries {
  readonly name: string;
  readonly colour?: number;
}

interface PlotFrame {
  /** What the plot shows, in one sentence, for those who do not see it. */
  readonly summary: string;
  /** The word that opens the table. */
  readonly tableWord: string;
  /** The heads of the table: that of the rows, then one for each number. */
  readonly heads: readonly string[];
  /** The rows of the table; each begins with its name. */
  readonly table: readonly (readonly string[])[];
}

const height = 150;
/** Room for a digit of the numbers beside the plot. */
const digitWidth = 6.5;
const right = 4;
const top = 8;
const bottom = 22;
/** The least room for a label under the plot: the last one ends at the edge, and must not touch another. */
const labelWidth = 82;

/** A picture as wide as its place, and its numbers as a table that can be opened. */
function Plot({
  frame: { summary, tableWord, heads, table },
  tall,
  keys,
  children,
}: {
  readonly frame: PlotFrame;
  readonly tall: number;
  /** What its colours mean. */
  readonly keys?: ComponentChildren;
  readonly children: (width: number) => ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div class="plot" ref={place} style={{ height: `${tall}px` }}>
        {width === 0 ? undefined : (
          <svg width={width} height={tall} role="img" aria-label={summary}>
            {children(width)}
          </svg>
        )}
      </div>
      {keys}
      <details class="plot-numbers">
        <summary>{tableWord}</summary>
        <section class="scroll" {...scrolling} aria-label={summary}>
          <table>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    <bdi>{head}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.map(([name = '', ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, at) => (
                    <td key={heads[at + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

/** Bars side by side, each with a piece for every series, and what the colours mean. */
export function StackedBars({
  frame,
  series,
  bars,
  numberText,
}: {
  readonly frame: PlotFrame;
  readonly series: readonly PlotSeries[];
  readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly numberText: (value: number) => string;
}) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const scale = scaleOf(Math.max(1, ...sums), numberText);
  const { left } = scale;
  const keys = (
    <ul class="plot-keys">
      {series.map(({ name, colour }, of) => (
        <li key={name}>
          <svg width="10" height="10" aria-hidden="true">
            <rect class={`${colourClass(colour)} series-${of}`} width="10" height="10" rx="3" />
          </svg>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
  return (
    <Plot frame={frame} tall={height} keys={keys}>
      {(width) => {
        const step = (width - left - right) / Math.max(1, bars.length);
        const bar = Math.min(20, Math.max(1, step - (step > 4 ? 2 : 1)));
        return (
          <>
            <Grid width={width} scale={scale} />
            {bars.map(({ label, values }, at) => {
              const x = left + at * step + (step - bar) / 2;
              let y = height - bottom;
              return values.map((value, of) => {
                if (value === 0) return undefined;
                const tall = scale.tall(value);
                y -= tall;
                return (
                  <rect
                    key={`${label} ${of}`}
                    class={`${colourClass(series[of]?.colour)} series-${of}`}
                    x={x}
                    y={y}
                    width={bar}
                    height={Math.max(1, tall - (tall > 3 ? 1 : 0))}
                  />
                );
              });
            })}
            <Labels labels={bars.map(({ label }) => label)} left={left} width={width} />
          </>
        );
      }}
    </Plot>
  );
}

const rowHeight = 26;

/** Bars below each other, each with its name before and its number behind it. */
export function RowBars({
  frame,
  rows,
  numberText,
}: {
  readonly frame: PlotFrame;
  readonly rows: readonly { readonly label: string; readonly value: number }[];
  readonly numberText: (value: number) => string;
}) {
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  const names = 104;
  const numbers = 56;
  return (
    <Plot frame={frame} tall={rows.length * rowHeight}>
      {(width) => {
        const room = Math.max(10, width - names - numbers);
        return rows.map(({ label, value }, at) => {
          const y = at * rowHeight;
          const wide = value === 0 ? 0 : Math.max(2, (room * value) / largest);
          return (
            <g key={label}>
              <text x={names - 10} y={y + 17} text-anchor="end">
                {label}
              </text>
              <rect class="plain" x={names} y={y + 6} width={wide} height="15" rx="3" />
              <text x={names + wide + 6} y={y + 17}>
                {numberText(value)}
              </text>
            </g>
          );
        });
      }}
    </Plot>
  );
}

/** A line through points that may have gaps between them; a single point is a dot. */
export function Line({
  frame,
  points,
  numberText,
}: {
  readonly frame: PlotFrame;
  /** `at` is where the point stands, from 0 for the first to 1 for the last. */
  readonly points: readonly {
    readonly at: number;
    readonly label: string;
    readonly value: number;
  }[];
  readonly numberText: (value: number) => string;
}) {
  const scale = scaleOf(Math.max(1, ...points.map(({ value }) => value)), numberText);
  const { left } = scale;
  const [first] = points;
  const last = points.at(-1);
  return (
    <Plot frame={frame} tall={height}>
      {(width) => {
        const room = width - left - right - 8;
        const x = (at: number): number => left + 4 + at * room;
        const y = (value: number): number => height - bottom - scale.tall(value);
        return (
          <>
            <Grid width={width} scale={scale} />
            <polyline points={points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')} />
            {last === undefined ? undefined : (
              <circle class="plain" cx={x(last.at)} cy={y(last.value)} r="3.5" />
            )}
            {first === undefined ? undefined : (
              <text x={x(first.at) - 4} y={height - 6}>
                {first.label}
              </text>
            )}
            {last === undefined || last === first ? undefined : (
              <text x={width - right} y={height - 6} text-anchor="end">
                {last.label}
              </text>
            )}
          </>
        );
      }}
    </Plot>
  );
}

interface Scale {
  /** Where the plot begins, after the longest number. */
  readonly left: number;
  /** Each step with its number as text. */
  readonly steps: readonly (readonly [value: number, text: string])[];
  readonly tall: (value: number) => number;
}

/** Up to four round numbers from 0 to at least this one, and how tall a value is drawn. */
function scaleOf(largest: number, numberText: (value: number) => string): Scale {
  const rough = largest / 3;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = Math.max(1, [1, 2, 5, 10].map((by) => by * power).find((by) => by >= rough) ?? 1);
  const count = Math.ceil(largest / step);
  const steps = Array.from(
    { length: count + 1 },
    (_, at) => [at * step, numberText(at * step)] as const,
  );
  const longest = Math.max(...steps.map(([, text]) => text.length));
  const room = height - top - bottom;
  return {
    left: 14 + longest * digitWidth,
    steps,
    tall: (value) => (room * value) / (count * step),
  };
}

function Grid({ width, scale }: { readonly width: number; readonly scale: Scale }) {
  return (
    <>
      {scale.steps.map(([value, text]) => {
        const y = Math.round(height - bottom - scale.tall(value)) + 0.5;
        return (
          <g key={value}>
            <line
              class={value === 0 ? 'floor' : undefined}
              x1={scale.left}
              x2={width - right}
              y1={y}
              y2={y}
            />
            <text x={scale.left - 6} y={y + 3.5} text-anchor="end">
              {text}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** As many of the labels as there is room for, counted back from the last. */
function Labels({
  labels,
  left,
  width,
}: {
  readonly labels: readonly string[];
  readonly left: number;
  readonly width: number;
}) {
  const room = width - left - right;
  const step = room / Math.max(1, labels.length);
  const every = Math.max(1, Math.ceil(labelWidth / step));
  return (
    <>
      {labels.map((label, at) => {
        if ((labels.length - 1 - at) % every !== 0) return undefined;
        const isLast = at === labels.length - 1;
        const x = isLast ? width - right : left + (at + 0.5) * step;
        if (x - labelWidth / 3 < left) return undefined;
        return (
          <text key={label} x={x} y={height - 6} text-anchor={isLast ? 'end' : 'middle'}>
            {label}
          </text>
        );
      })}
    </>
  );
}

function colourClass(colour: number | undefined): string {
  if (colour === undefined) return 'plain';
  return colour === 0 ? 'you' : `client-${colour}`;
}
