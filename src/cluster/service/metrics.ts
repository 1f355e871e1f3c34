import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a figure means, as Prometheus shows it. */
interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
}

type Labels = Readonly<Record<string, string>>;

/** The figures of a node, in the text format of Prometheus. */
export class Metrics {
  readonly #counts = new Map<string, { figure: Figure; values: Map<string, number> }>();
  readonly #gauges: { readonly figure: Figure; readonly value: () => number }[] = [];
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
    this.gauge(
      'event_loop_delay_seconds',
      'The 99th percentile of the delay of the event loop.',
      () => {
        const seconds = this.#delay.percentile(99) / 1e9;
        this.#delay.reset();
        return seconds;
      },
    );
  }

  /** Adds to a number that only grows. */
  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const full = `vaultdoor_${name}`;
    const found = this.#counts.get(full) ?? {
      figure: { name: full, help, type: 'counter' as const },
      values: new Map<string, number>(),
    };
    this.#counts.set(full, found);
    const key = labelText(labels);
    found.values.set(key, (found.values.get(key) ?? 0) + by);
  }

  /** A number that is looked at when the figures are asked for. */
  gauge(name: string, help: string, value: () => number): void {
    this.#gauges.push({ figure: { name: `vaultdoor_${name}`, help, type: 'gauge' }, value });
  }

  /** All figures. */
  text(): string {
    const counters = Array.from(this.#counts.values(), ({ figure, values }) => [
      ...heading(figure),
      ...Array.from(values, ([labels, value]) => `${figure.name}${labels} ${value}`),
    ]);
    const gauges = this.#gauges.map(({ figure, value }) => [
      ...heading(figure),
      `${figure.name} ${value()}`,
    ]);
    return `${[...counters, ...gauges].flat().join('\n')}\n`;
  }

  close(): void {
    this.#delay.disable();
  }
}

function heading({ name, help, type }: Figure): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Labels): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return '';
  const quoted = (text: string) => text.replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));
  return `{${entries.map(([name, value]) => `${name}="${quoted(value)}"`).join(',')}}`;
}
