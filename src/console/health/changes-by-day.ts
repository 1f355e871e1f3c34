import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswers } from '../../tools/console/console-answers.ts';
import { shownClient } from '../words/client-name.ts';
import { healthStrings } from '../words/health-strings.ts';

type DayCount = ConsoleAnswers['counts']['items'][number];

/** One client in the plot; colour 0 is the owner's. */
interface PlottedClient {
  readonly name: string;
  readonly colour: number;
}

/** The changes of each day, by client. */
interface ChangesByDay {
  /** Those with the most changes first; what does not fit is one more at the end. */
  readonly clients: readonly PlottedClient[];
  /** Every day up to today, also those without a change; `changes` is in the order of `clients`. */
  readonly days: readonly { readonly day: string; readonly changes: readonly number[] }[];
  readonly total: number;
}

const colours = 6;
/** The colour of all clients that have none of their own. */
const othersColour = 4;

/** Puts counted changes into one row for each day, with a colour for each client. */
export function changesByDay(counts: readonly DayCount[], today: string): ChangesByDay {
  const totals = new Map<string, { colour: number; changes: number }>();
  for (const count of counts) {
    const { name, colour } = shownOf(count);
    const known = totals.get(name);
    totals.set(name, { colour, changes: (known?.changes ?? 0) + count.changes });
  }
  const ranked = Array.from(totals).toSorted(([, a], [, b]) => b.changes - a.changes);
  const named = ranked.slice(0, consolePageLimits.plottedClients);
  const hasOthers = ranked.length > named.length;
  const clients = withOwnColours(named.map(([name, { colour }]) => ({ name, colour })));
  const all = hasOthers
    ? [...clients, { name: healthStrings.otherClients, colour: othersColour }]
    : clients;
  const places = new Map(clients.map(({ name }, at) => [name, at]));
  const days = daysUntil(today, consolePageLimits.plottedDays).map((day) => ({
    day,
    changes: all.map(() => 0),
  }));
  const byDay = new Map(days.map((row) => [row.day, row.changes]));
  let total = 0;
  for (const count of counts) {
    const row = byDay.get(count.day);
    if (row === undefined) continue;
    const at = places.get(shownOf(count).name) ?? clients.length;
    row[at] = (row[at] ?? 0) + count.changes;
    total += count.changes;
  }
  return { clients: all, days, total };
}

/** So many days up to this one, as `2026-11-16`. */
function daysUntil(day: string, days: number): string[] {
  const end = Date.parse(`${day}T00:00:00Z`);
  return Array.from({ length: days }, (_, at) =>
    new Date(end - (days - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  );
}

function shownOf({ client, door }: DayCount): PlottedClient {
  const { name, colour } = shownClient(door, client);
  return { name, colour };
}

/** No two clients get the same colour; the first keeps its own. */
function withOwnColours(clients: readonly PlottedClient[]): PlottedClient[] {
  const taken = new Set<number>([othersColour]);
  return clients.map(({ name, colour }) => {
    let free = colour;
    for (let tries = 0; taken.has(free) && tries < colours; tries++) free = (free % colours) + 1;
    taken.add(free);
    return { name, colour: free };
  });
}
