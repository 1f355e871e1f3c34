import { expect, it } from 'vitest';
import { clientNamesFor } from './client-title.ts';

it.each([
  ['claude-code', ['claude-code']],
  ['claude-code/2.1.0', ['claude-code/2.1.0']],
  ['Claude Code', ['Claude Code', 'claude-code', 'claude code']],
  ['claude desktop', ['claude desktop', 'claude-ai', 'claude-desktop']],
  ['Claude', ['Claude', 'claude-ai']],
])('%s may have sent the names %j', (called, names) => {
  expect(clientNamesFor(called)).toEqual(names);
});
