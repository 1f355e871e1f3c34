import { readFileSync } from 'node:fs';

/** Half of what Linux keeps by default. */
const usualEvents = 8_192;

/**
 * So many events may come at once before some could have been lost: half of what the kernel's queue
 * holds, which administrators may change.
 */
export function safeEventsAtOnce(
  read = (): string => readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'),
): number {
  try {
    const queued = Number.parseInt(read(), 10);
    return queued > 0 ? Math.min(Math.floor(queued / 2), usualEvents) : usualEvents;
  } catch {
    return usualEvents;
  }
}

/**
 * Tells when the kernel's queue of events may have overflowed, which `fs.watch` does not. Node takes
 * all that waits in the queue in one turn of the event loop: as long as no turn has as many events
 * as the queue holds, none was lost, however many come one turn after the other.
 */
export function makeOverflowAlarm(onOverflow: () => void, safeEvents = safeEventsAtOnce()) {
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
