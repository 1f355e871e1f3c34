import type { VaultError } from '../base/vault-error.ts';
import type { AnyTool } from './define-tool.ts';
import type { TextContent } from './outcome.ts';

/** How results and failures are worded. */
export interface Voice {
  readonly result: (tool: AnyTool, value: unknown) => readonly TextContent[];
  readonly failure: (error: VaultError) => readonly TextContent[];
}

/** A list of tools that belong together, and the voice they speak in. */
export interface Toolset {
  readonly name: 'cli';
  readonly tools: readonly AnyTool[];
  readonly voice: Voice;
}
