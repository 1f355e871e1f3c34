import { readFileSync } from 'node:fs';

/** Half of the length that the kernel's queue has by default. */
const usualEvents = 8_192;

/** The text that says how many events the kernel's queue holds; administrators may change it. */
function queueLength(): string {
  return readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8');
}

/**
 * The events of one kernel queue in this turn of the event loop, and whom to call if there are too
 * many. A thread has one queue for all folders that it watches, of whichever vault.
 */
export class EventQueue {
  readonly alarms = new Set<() => void>();
  #events = 0;

  /** Counts one event; returns how many have come in this turn. */
  count(): number {
    this.#events += 1;
    if (this.#events === 1) {
      setImmediate(() => {
        this.#events = 0;
      });
    }
    return this.#events;
  }
}

/**
 * Calls `onOverflow` when the kernel's queue of events may have overflowed, which `fs.watch` does not
 * report. Node takes everything from the queue in one turn of the event loop. So events can only have
 * been lost if one turn brings many of them; half of the queue's length counts as many. All alarms of
 * one queue are called together, because the lost events may be those of any of them.
 */
export function makeOverflowAlarm(
  onOverflow: () => void,
  {
    readQueueLength = queueLength,
    queue = new EventQueue(),
  }: { readonly readQueueLength?: () => string; readonly queue?: EventQueue } = {},
): { heard(): void; close(): void } {
  const safeEvents = safeEventsIn(readQueueLength);
  const alarm = (): void => onOverflow();
  queue.alarms.add(alarm);
  return {
    /** To be called for each event. */
    heard(): void {
      if (queue.count() > safeEvents) for (const each of queue.alarms) each();
    },
    close: () => void queue.alarms.delete(alarm),
  };
}

/** How many events may come at once before some could have been lost. */
function safeEventsIn(readQueueLength: () => string): number {
  try {
    const queued = Number.parseInt(readQueueLength(), 10);
    return queued > 0 ? Math.min(Math.floor(queued / 2), usualEvents) : usualEvents;
  } catch {
    return usualEvents;
  }
}
