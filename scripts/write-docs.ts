import { writeFileSync } from 'node:fs';
import { cliToolset } from '../src/tools/cli/cli-toolset.ts';
import { describeTools } from '../src/tools/describe-tools.ts';

const plain = (text: string): string => text;

/** The text that `docs/tools.md` must have. */
export function toolsDocument(): string {
  return describeTools([cliToolset({ strong: plain, faint: plain, good: plain, bad: plain })]);
}

export function main(): void {
  writeFileSync(new URL('../docs/tools.md', import.meta.url), toolsDocument());
}
