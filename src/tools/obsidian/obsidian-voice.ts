import type { Voice } from '../define/toolset.ts';
import { failureText, plainPaint } from '../wording/plain-voice.ts';

/** How the obsidian toolset speaks: a result is `{"success":true,"data":{…}}` as one text. */
export const obsidianVoice: Voice = {
  result: (tool, value) => {
    const data = tool.text?.(value, plainPaint) ?? JSON.stringify(value);
    return [{ type: 'text', text: `{"success":true,"data":${data}}` }];
  },
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};
