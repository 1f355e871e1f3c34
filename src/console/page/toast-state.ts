import { signal } from '@preact/signals';
import type { Piece } from '../../tools/wording/change-sentences.ts';

/** A message at the bottom of the page, with at most one thing to do about it. */
export interface Toast {
  readonly text: readonly Piece[];
  readonly action?: {
    readonly label: string;
    /** The picture beside the label; that of redo when absent. */
    readonly icon?: 'undo' | 'redo' | 'activity';
    readonly run: () => void;
  };
}

/** The message that is shown; `number` tells it from the one before. */
export const toast = signal<(Toast & { readonly number: number }) | undefined>(undefined);
let shown = 0;

/** Text that a screen reader reads aloud: in its own time, or at once for a question. */
export const announced = signal<{ readonly text: string; readonly isUrgent: boolean }>({
  text: '',
  isUrgent: false,
});

/** Takes away the message at the bottom. */
export function hideToast(): void {
  toast.value = undefined;
}

/** Shows a message at the bottom for ten seconds, in place of the one that is there. */
export function showToast(message: Toast): void {
  toast.value = { ...message, number: ++shown };
}
