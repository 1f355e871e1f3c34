import type { Voice } from '../define/toolset.ts';
import { failureText, plainPaint } from '../wording/plain-voice.ts';

/**
 * How the notes toolset words its answers: notes and sections as their text, everything else as
 * compact JSON, and a failure as its message with the excerpt.
 */
export const notesVoice: Voice = {
  result: (tool, value) => [
    {
      type: 'text',
      text: tool.text?.(value, plainPaint) ?? JSON.stringify(value),
      ...(tool.meta === undefined ? {} : { _meta: tool.meta(value) }),
    },
    ...(tool.media?.(value) ?? []),
  ],
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};

/** The path and the version of a note that is answered as text, for programs. */
export function noteMeta({ path, version }: { readonly path: string; readonly version: string }) {
  return { 'vaultdoor/path': path, 'vaultdoor/version': version };
}
