import { commandOf, me } from '../page/server-state.ts';

/** The command that decides the same. The demo has none: no command finds its temporary vault. */
export function CommandFor({ words }: { readonly words: string }) {
  return me.value?.isDemo ? null : <code class="faint not-phone">{commandOf(words)}</code>;
}
