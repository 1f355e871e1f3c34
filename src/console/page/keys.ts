import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { Screen } from './place.ts';

/** What a key on the keyboard does. No key approves or denies anything. */
export type KeyAction =
  | {
      readonly do:
        | 'next'
        | 'previous'
        | 'back'
        | 'undo'
        | 'undo-session'
        | 'redo'
        | 'words'
        | 'help'
        | 'find';
    }
  | { readonly do: 'go'; readonly screen: Screen };

/** One press of a key, as far as it matters here. */
interface KeyPress {
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly timeMs: number;
  /** Whether a field has the focus, which takes the key itself. */
  readonly inField: boolean;
}

const singleKeys: Readonly<Record<string, KeyAction>> = {
  j: { do: 'next' },
  ArrowDown: { do: 'next' },
  k: { do: 'previous' },
  ArrowUp: { do: 'previous' },
  u: { do: 'undo' },
  U: { do: 'undo-session' },
  r: { do: 'redo' },
  d: { do: 'words' },
  '?': { do: 'help' },
  '/': { do: 'find' },
};

/** The letters after `g`. */
export const screenKeys: Readonly<Record<string, Screen>> = {
  a: 'activity',
  p: 'approvals',
  n: 'notes',
  g: 'graph',
  h: 'health',
  t: 'access',
  c: 'connect',
};

/** Turns presses of keys into what they mean. Remembers a `g` for a moment. */
export class KeyReader {
  #gAtMs = Number.NEGATIVE_INFINITY;

  /** What a press means; undefined when it means nothing here. */
  read(press: KeyPress, { singles }: { readonly singles: boolean }): KeyAction | undefined {
    const { key, ctrl, alt, timeMs, inField } = press;
    if (key === 'Escape') return { do: 'back' };
    if (ctrl && !alt && key.toLowerCase() === 'k') return { do: 'find' };
    const isAfterG = timeMs - this.#gAtMs <= consolePageLimits.keySequenceMs;
    this.#gAtMs = Number.NEGATIVE_INFINITY;
    if (ctrl || alt || inField || !singles) return undefined;
    if (isAfterG) {
      const screen = Object.hasOwn(screenKeys, key) ? screenKeys[key] : undefined;
      if (screen !== undefined) return { do: 'go', screen };
    }
    if (key === 'g') this.#gAtMs = timeMs;
    return Object.hasOwn(singleKeys, key) ? singleKeys[key] : undefined;
  }
}

/** Tells each key to whoever listens last; a listener that answers true has taken it. */
const listeners: ((action: KeyAction) => boolean)[] = [];

/** Hears what keys mean, until the returned function is called. */
export function onKey(hear: (action: KeyAction) => boolean): () => void {
  listeners.push(hear);
  return () => {
    const at = listeners.indexOf(hear);
    if (at !== -1) listeners.splice(at, 1);
  };
}

/** Tells the listeners, the newest first, until one takes it. */
export function tellKey(action: KeyAction): boolean {
  return listeners.toReversed().some((hear) => hear(action));
}
