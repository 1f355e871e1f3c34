import { writeFileSync } from 'node:fs';
import { paintFor } from '../src/cli/terminal.ts';
import { cliToolset } from '../src/tools/cli/cli-toolset.ts';
import { describeTools } from '../src/tools/describe-tools.ts';

/** The text that `docs/tools.md` must have. */
export function toolsDocument(): string {
  return describeTools([cliToolset(paintFor({ isTTY: false }, {}))]);
}

export function main(): void {
  writeFileSync(new URL('../docs/tools.md', import.meta.url), toolsDocument());
}
