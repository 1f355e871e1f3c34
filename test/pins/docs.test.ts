import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toolsDocument } from '../../scripts/write-docs.ts';

it('docs/tools.md is what the definitions say; "npm run docs" writes it', () => {
  expect(readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')).toBe(
    toolsDocument(),
  );
});
