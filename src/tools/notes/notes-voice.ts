import type { Voice } from '../define/toolset.ts';
import { failureText, plainPaint } from '../wording/plain-voice.ts';

/**
 * How the notes toolset speaks to a model: notes and sections as their text, all else as compact
 * JSON, a failure as what to do about it and the lines it is about.
 */
export const notesVoice: Voice = {
  result: (tool, value) => [
    {
      type: 'text',
      text: tool.text?.(value, plainPaint) ?? JSON.stringify(value),
      ...(tool.meta === undefined ? {} : { _meta: tool.meta(value) }),
    },
  ],
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};

/** What programs may want of a note that is answered as text. */
export function noteMeta({ path, version }: { readonly path: string; readonly version: string }) {
  return { 'vaultdoor/path': path, 'vaultdoor/version': version };
}
