import type { Voice } from '../define/toolset.ts';
import { failureText } from '../wording/plain-voice.ts';

/** How the agent toolset speaks: the structured result as JSON, a failure as what to do about it. */
export const agentVoice: Voice = {
  result: (_tool, value) => [{ type: 'text', text: JSON.stringify(value) }],
  failure: (error) => [{ type: 'text', text: failureText(error) }],
};
