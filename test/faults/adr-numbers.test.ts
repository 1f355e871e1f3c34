import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StdioProcess } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const each = 14;

it(`three processes that record ${each} decisions at once get ${3 * each} numbers`, async () => {
  const folder = tempFolder({ 'adr/ADR-003-third.md': '' });
  const shared = tempFolder();
  const env = { XDG_CACHE_HOME: shared, XDG_STATE_HOME: shared };
  const agents = [1, 2, 3].map(() => new StdioProcess({ folder, args: ['--tools', 'agent'], env }));
  await Promise.all(agents.map((agent) => agent.initialize()));
  const answers = await Promise.all(
    agents.flatMap((agent, a) =>
      Array.from({ length: each }, (_, n) =>
        agent.request('tools/call', {
          name: 'adr_create',
          // Half of the titles are the same in all processes.
          arguments: { title: `Decision ${n} ${n % 2 === 0 ? a : ''}`, content: '## Context' },
        }),
      ),
    ),
  );
  const numbers = answers.map(
    ({ result }) => (result?.['structuredContent'] as { adr?: number } | undefined)?.adr,
  );
  const expected = Array.from({ length: 3 * each }, (_, n) => n + 4);
  expect(numbers.toSorted((a = 0, b = 0) => a - b)).toEqual(expected);
  const files = readdirSync(join(folder, 'adr')).filter((name) => !name.startsWith('ADR-003'));
  expect(files.map((name) => Number(name.slice(4, 7))).sort((a, b) => a - b)).toEqual(expected);
  const rows = readFileSync(join(folder, '_index.md'), 'utf8').split('\n').slice(4);
  expect(rows.map((row) => Number(/ADR-(\d+)/.exec(row)?.[1])).sort((a, b) => a - b)).toEqual(
    expected,
  );
  await Promise.all(agents.map((agent) => agent.end()));
});
