import type { Toolset } from '../define/toolset.ts';
import { changeTools } from './change-tools.ts';
import { healthTools } from './health-tools.ts';
import { noteTools } from './note-tools.ts';

/**
 * What the owner's web page asks for. Only the door of the console serves it. Its answers are the
 * values themselves (`Outcome.value`), typed by `ConsoleAnswers`.
 */
export const consoleToolset: Toolset = {
  name: 'console',
  tools: [...changeTools, ...noteTools, ...healthTools],
  voice: {
    result: () => [],
    failure: (error) => [{ type: 'text', text: error.message }],
  },
};
