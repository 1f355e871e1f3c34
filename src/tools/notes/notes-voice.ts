import type { Voice } from '../define/toolset.ts';
import { failureText } from '../wording/failure-text.ts';
import { plainPaint } from '../wording/plain-paint.ts';

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
