import { readFileSync } from 'node:fs';

/** Half of the length that the kernel's queue has by default. */
const usualEvents = 8_192;

/** The text that says how many events the kernel's queue holds; administrators may change it. */
function queueLength(): string {
  return readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8');
}

/**
 * Calls `onOverflow` when the kernel's queue of events may have overflowed, which `fs.watch` does not
 * report. Node takes everything from the queue in one turn of the event loop. So events can only have
 * been lost if one turn brings many of them; half of the queue's length counts as many.
 */
export function makeOverflowAlarm(
  onOverflow: () => void,
  { readQueueLength = queueLength }: { readonly readQueueLength?: () => string } = {},
): { heard(): void } {
  const safeEvents = safeEventsIn(readQueueLength);
  let events = 0;
  return {
    /** To be called for each event. */
    heard(): void {
      events += 1;
      if (events === 1) {
        setImmediate(() => {
          events = 0;
        });
      }
      if (events > safeEvents) onOverflow();
    },
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
