import { showInvisible } from './invisible.ts';

/** Text of a note or a name, in which characters that nobody sees are drawn as marks. */
export function VisibleText({ text }: { readonly text: string }) {
  return (
    <>
      {showInvisible(text).map((part) =>
        typeof part === 'string' ? part : <span class="invisible">{part.code}</span>,
      )}
    </>
  );
}
