import type { ComponentChildren } from 'preact';
import { Line, RowBars, StackedBars } from '../parts/plot.tsx';
import { Loading } from '../parts/states.tsx';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';
import { dayOfYear, shortDay } from '../words/times.ts';
import { changesByDay } from './changes-by-day.ts';
import { counts, hasNames, sizes, totals } from './health-state.ts';
import { sizeRows } from './size-rows.ts';

/** The three plots. Each says from when on it has numbers. */
export function HealthPlots() {
  return (
    <div class="health-plots">
      <ChangesPlot />
      <SizesPlot />
      <TotalsPlot />
    </div>
  );
}

function Box({
  title,
  more,
  children,
}: {
  readonly title: string;
  readonly more: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="box">
      <h2>
        {title} <small>{more}</small>
      </h2>
      {children}
    </section>
  );
}

/** In place of a plot whose numbers are not there yet. */
function Waiting({ isFailed }: { readonly isFailed: boolean }) {
  if (!hasNames.value) return <p class="faint">{healthStrings.afterNames}</p>;
  return isFailed ? null : <Loading lines={4} />;
}

function ChangesPlot() {
  const { value, failure } = counts.value;
  if (value === undefined) {
    return (
      <Box title={healthStrings.changesByDay} more="">
        {failure === undefined ? <Loading lines={4} /> : undefined}
      </Box>
    );
  }
  const here = dayOfYear(Date.now());
  // The server's day may have begun already.
  const newest = value.items[0]?.day ?? here;
  const { clients, days, total } = changesByDay(value.items, newest > here ? newest : here);
  const from = shortDay(days[0]?.day ?? here);
  const to = shortDay(days.at(-1)?.day ?? here);
  return (
    <Box title={healthStrings.changesByDay} more={healthStrings.lastDays(days.length)}>
      {total === 0 ? (
        <p class="faint">{healthStrings.noChanges(from)}</p>
      ) : (
        <StackedBars
          frame={{
            summary: healthStrings.changesFrom(total, from, to),
            tableWord: healthStrings.numbers,
            heads: [healthStrings.day, ...clients.map(({ name }) => name)],
            table: days
              .filter(({ changes }) => changes.some((number) => number > 0))
              .toReversed()
              .map(({ day, changes }) => [shortDay(day), ...changes.map(strings.number)]),
          }}
          series={clients}
          bars={days.map(({ day, changes }) => ({ label: shortDay(day), values: changes }))}
          numberText={strings.number}
        />
      )}
      {value.more === true ? <p class="faint">{healthStrings.changesCut(total)}</p> : undefined}
    </Box>
  );
}

function SizesPlot() {
  const { value, failure } = sizes.value;
  if (value === undefined) {
    return (
      <Box title={healthStrings.sizesOfNotes} more="">
        <Waiting isFailed={failure !== undefined} />
      </Box>
    );
  }
  const rows = sizeRows(value.steps);
  const [most] = rows.toSorted((a, b) => b.notes - a.notes);
  const notes = value.files.note;
  return (
    <Box title={healthStrings.sizesOfNotes} more={healthStrings.sizesMore(notes, value.bytes)}>
      {most === undefined ? (
        <p class="faint">{healthStrings.noNotes}</p>
      ) : (
        <RowBars
          frame={{
            summary: healthStrings.sizesSummary(notes, most.label),
            tableWord: healthStrings.numbers,
            heads: [healthStrings.size, healthStrings.notes],
            table: rows.map((row) => [row.label, strings.number(row.notes)]),
          }}
          rows={rows.map(({ label, notes: value }) => ({ label, value }))}
          numberText={strings.number}
        />
      )}
    </Box>
  );
}

function TotalsPlot() {
  const { value, failure } = totals.value;
  const [first, second] = value?.items ?? [];
  const last = value?.items.at(-1);
  if (value === undefined || first === undefined || last === undefined) {
    return (
      <Box title={healthStrings.notesOverTime} more="">
        <Waiting isFailed={failure !== undefined} />
      </Box>
    );
  }
  const begin = Date.parse(first.day);
  const span = Math.max(1, Date.parse(last.day) - begin);
  return (
    <Box
      title={healthStrings.notesOverTime}
      more={
        second === undefined
          ? healthStrings.countedToday
          : healthStrings.countedFrom(shortDay(first.day))
      }
    >
      <Line
        frame={{
          summary: healthStrings.totalsSummary(
            last.notes,
            shortDay(last.day),
            first.notes,
            shortDay(first.day),
          ),
          tableWord: healthStrings.numbers,
          heads: [healthStrings.day, healthStrings.notes, healthStrings.size],
          table: value.items
            .toReversed()
            .map(({ day, notes, bytes }) => [
              shortDay(day),
              strings.number(notes),
              healthStrings.bytes(bytes),
            ]),
        }}
        points={value.items.map(({ day, notes }) => ({
          at: (Date.parse(day) - begin) / span,
          label: shortDay(day),
          value: notes,
        }))}
        numberText={strings.number}
      />
    </Box>
  );
}
