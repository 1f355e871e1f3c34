import { computed, signal } from '@preact/signals';
import type { ConsoleMe } from '../../doors/console/console-wire.ts';
import { strings } from '../words/strings.ts';
import { place } from './address.ts';
import { type ApiFailure, asFailure, get } from './api.ts';
import { onEvent } from './live.ts';
import { announced } from './toast-state.ts';

/** What the server says about itself; undefined until it has answered. */
export const me = signal<ConsoleMe | undefined>(undefined);
export const meFailure = signal<ApiFailure | undefined>(undefined);

/** Questions and proposals that wait for the owner, and open sessions of clients. */
export const waiting = signal(0);
export const openSessions = signal<number | undefined>(undefined);
/** Whether the folder of the vault is there. */
export const isVaultHere = signal(true);

/** Whether changes can be undone here: a server may be started for reading alone. */
export const canUndo = computed(() => me.value?.rights.includes('destroy') ?? false);

/** The name of the vault that the page shows. */
export const vaultName = computed(() => {
  const here = place.value;
  const named = 'vault' in here ? here.vault : undefined;
  return named ?? me.value?.vaults[0]?.name;
});

/** Asks the server who it is. */
export async function loadMe(): Promise<void> {
  try {
    me.value = await get<ConsoleMe>('/me');
    meFailure.value = undefined;
  } catch (error) {
    meFailure.value = asFailure(error);
  }
}

/** Keeps the small numbers of the frame up to date from the server's events. */
export function followNumbers(): void {
  const waits = new Map<string, number>();
  onEvent('question', ({ vault, open, proposals }) => {
    waits.set(vault, open + proposals);
    const before = waiting.peek();
    waiting.value = waits.get(vaultName.peek() ?? vault) ?? 0;
    if (waiting.peek() > before) {
      announced.value = { text: strings.askedNow(waiting.peek()), isUrgent: true };
    }
  });
  onEvent('session', ({ open }) => {
    openSessions.value = open;
  });
  onEvent('vault', ({ vault, here }) => {
    if (vault === vaultName.peek()) isVaultHere.value = here;
  });
  onEvent('hello', () => void loadMe());
}
