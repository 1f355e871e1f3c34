import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ConsoleMe, ConsoleVault } from '../../doors/console/console-me.ts';
import type { ConsoleEvent } from '../../doors/console/console-wire.ts';
import { strings } from '../words/strings.ts';
import { place } from './address.ts';
import { type ApiFailure, asFailure, get } from './api.ts';
import { onEvent } from './live.ts';
import { announced } from './toast-state.ts';

type IndexNews = Extract<ConsoleEvent, { event: 'index' }>['data'];

/** What the server says about itself; undefined until it has answered. */
export const me = signal<ConsoleMe | undefined>(undefined);
export const meFailure = signal<ApiFailure | undefined>(undefined);

/** A command of the program, as a person types it on the machine of the vault. */
export function commandOf(words: string): string {
  return `${me.value?.program ?? 'vaultdoor'} ${words}`;
}

type Waiting = Extract<ConsoleEvent, { event: 'question' }>['data'];

/** Questions and proposals that wait for the owner, by vault. */
const waits = signal<ReadonlyMap<string, Waiting>>(new Map());
/** How many clients are connected. */
export const connectedClients = signal<number | undefined>(undefined);
/** How far the index of each vault is. */
const indexed = signal<ReadonlyMap<string, IndexNews>>(new Map());
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

/** The vault that the page shows; undefined until the server has said it. */
export const vaultShown: ReadonlySignal<ConsoleVault | undefined> = computed(() =>
  me.value?.vaults.find(({ name }) => name === vaultName.value),
);

/** What waits for the owner in the vault that the page shows. */
export const waiting = computed(() => {
  const { open = 0, proposals = 0 } = waits.value.get(vaultName.value ?? '') ?? {};
  return { questions: open, proposals, all: open + proposals };
});

/** The owner's page, where the console is open at the same address: then it may have been opened there. */
export const ownerPageHere = computed(() => {
  const page = me.value?.ownerPage;
  return page !== undefined && new URL(page).origin === location.origin ? page : undefined;
});

/** How far the index of the shown vault is; undefined until the server has said it. */
export const indexState = computed(() => indexed.value.get(vaultName.value ?? ''));

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
  onEvent('question', (now) => {
    const before = waits.peek().get(now.vault);
    waits.value = new Map(waits.peek()).set(now.vault, now);
    // What waits when the page is opened is shown, and only what comes later is read aloud.
    if (before === undefined || now.vault !== vaultName.peek()) return;
    if (now.open > before.open) {
      announced.value = { text: strings.askedNow(now.open), isUrgent: true };
    } else if (now.proposals > before.proposals) {
      announced.value = { text: strings.proposedNow(now.proposals), isUrgent: false };
    }
  });
  onEvent('session', ({ connected }) => {
    connectedClients.value = connected;
  });
  onEvent('index', (news) => {
    indexed.value = new Map(indexed.peek()).set(news.vault, news);
  });
  onEvent('vault', ({ vault, here }) => {
    if (vault === vaultName.peek()) isVaultHere.value = here;
  });
  onEvent('hello', () => void loadMe());
}
