import type { Voice } from '../define/toolset.ts';

/** Says nothing: the remote protocol carries values, and text of them would be made for nobody. */
export const fsVoice: Voice = { result: () => [], failure: () => [] };
