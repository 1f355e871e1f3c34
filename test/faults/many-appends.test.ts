import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildVaultProgram, VaultProcess } from '../support/vault-process.ts';

const program = buildVaultProgram();
const processes = counted({ quick: 4, full: 20 });
const appends = counted({ quick: 10, full: 20, soak: 50 });

it(`loses no line when ${processes} processes append to one note at once`, async () => {
  const folder = tempFolder();
  const env = { XDG_STATE_HOME: tempFolder(), XDG_CACHE_HOME: tempFolder() };
  writeFileSync(join(folder, 'Log.md'), '# Log\n');
  const writers = Array.from(
    { length: processes },
    () => new VaultProcess({ program, folder, env }),
  );
  const answers = await Promise.all(
    writers.flatMap((writer, w) =>
      Array.from({ length: appends }, (_, n) =>
        writer.call('appendNote', { name: 'Log.md', text: `line ${w}.${n} ${'x'.repeat(w * 7)}` }),
      ),
    ),
  );
  expect(answers.filter((answer) => !answer.ok)).toEqual([]);
  await Promise.all(writers.map((writer) => writer.close()));
  const [title, ...lines] = readFileSync(join(folder, 'Log.md'), 'utf8').trimEnd().split('\n');
  expect(title).toBe('# Log');
  const expected = writers.flatMap((_, w) =>
    Array.from({ length: appends }, (_, n) => `line ${w}.${n} ${'x'.repeat(w * 7)}`.trimEnd()),
  );
  expect(lines.map((line) => line.trimEnd()).sort()).toEqual(expected.sort());
  // Each process's own lines stand in the order in which it asked for them.
  for (const w of writers.keys()) {
    const own = lines.filter((line) => line.startsWith(`line ${w}.`));
    expect(own.map((line) => Number(/\.(\d+)/.exec(line)?.[1]))).toEqual(
      Array.from({ length: appends }, (_, n) => n),
    );
  }
});
