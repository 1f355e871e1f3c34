import { consolePageLimits } from '../../base/console-page-limits.ts';

/** One event of the stream. */
interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Cuts text that arrives in pieces into server-sent events. Comments, which are the server's signs
 * of life, are no events. Fails when one event is longer than the limit.
 */
export class EventReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #chars = 0;

  /** Takes the next piece, and answers with the events that are complete now. */
  take(piece: string): StreamEvent[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    const found: StreamEvent[] = [];
    for (const line of lines) this.#line(line.endsWith('\r') ? line.slice(0, -1) : line, found);
    if (this.#chars + this.#rest.length > consolePageLimits.eventCharsMax) {
      throw new RangeError('An event is too long.');
    }
    return found;
  }

  #line(line: string, found: StreamEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) found.push({ event: this.#event, data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      this.#chars = 0;
      return;
    }
    this.#chars += line.length;
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
  }
}
