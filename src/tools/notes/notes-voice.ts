import { limits } from '../../base/limits.ts';
import type { Paint } from '../define-tool.ts';
import type { Voice } from '../toolset.ts';

const same = (text: string): string => text;
const plain: Paint = { strong: same, faint: same, good: same, bad: same, content: same };

/**
 * How the notes toolset speaks to a model: notes and sections as their text, all else as compact
 * JSON, a failure as what to do about it and the lines it is about.
 */
export const notesVoice: Voice = {
  result: (tool, value) => [
    {
      type: 'text',
      text: tool.text?.(value, plain) ?? JSON.stringify(value),
      ...(tool.meta === undefined ? {} : { _meta: tool.meta(value) }),
    },
  ],
  failure: ({ message, excerpt }) => {
    const text = excerpt === undefined ? message : `${message}\n\n${excerpt}`;
    const max = limits.answerCharsMax;
    return [{ type: 'text', text: text.length > max ? `${text.slice(0, max - 1)}…` : text }];
  },
};
