import { me } from '../page/server-state.ts';

/** The command that decides the same. The demo has none: no command finds its temporary vault. */
export function CommandFor({ text }: { readonly text: string }) {
  return me.value?.isDemo ? null : <code class="faint not-phone">{text}</code>;
}
