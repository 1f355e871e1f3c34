import { describe, expect, it } from 'vitest';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { runBatch } from '../../engine/operations/write/run-batch.ts';
import { cliToolGroups } from './cli-toolset.ts';
import { readBatch } from './read-batch.ts';

const tools = cliToolGroups.flatMap((group) => group.tools);
const batch = (...lines: readonly object[]): string =>
  lines.map((line) => JSON.stringify(line)).join('\n');

function refusal(text: string): string {
  try {
    readBatch(text, { tools, dryRun: false });
  } catch (error) {
    const { code, message } = toVaultError(error);
    return `${code}: ${message}`;
  }
  return 'none';
}

describe('readBatch', () => {
  it('takes a line for an operation and skips empty ones', () => {
    const text = `\n${batch({ op: 'create', path: 'A' })}\r\n\n  \n${batch({ op: 'tag-rename', tag: 'a', newTag: 'b' })}\n`;
    const labels = readBatch(text, { tools, dryRun: false }).map(({ label }) => label);
    expect(labels).toEqual(['Line 2', 'Line 5']);
  });

  it('takes the byte order mark that a pipe of Windows begins with', () => {
    const text = `\ufeff${batch({ op: 'create', path: 'A' })}\n`;
    expect(readBatch(text, { tools, dryRun: false })).toHaveLength(1);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', 'append A x', /^invalid_input: Line 1: this is not a JSON object/],
    ['a list', '[1]', /^invalid_input: Line 1: this is not a JSON object/],
    ['no op', '{}', /^invalid_input: Line 1: "op" must be one of create, /],
    [
      'an op that makes no change',
      batch({ op: 'read', name: 'A' }),
      /^invalid_input: Line 1: "op" must be/,
    ],
    [
      'a batch in a batch',
      batch({ op: 'batch', lines: '' }),
      /^invalid_input: Line 1: "op" must be/,
    ],
    [
      'a missing argument',
      `\n${batch({ op: 'append', name: 'A' })}`,
      /^invalid_input: Line 2: Wrong arguments for append: "text"/,
    ],
    [
      'an unknown argument',
      batch({ op: 'append', name: 'A', text: '', inlin: true }),
      /append has no argument "inlin": use "inline"/,
    ],
    [
      'a dry run of one line',
      batch({ op: 'unset', name: 'A', key: 'k', dryRun: true }),
      /unset has no argument "dryRun"/,
    ],
    ['nothing', ' \n', /^invalid_input: The batch has no operations/],
    [
      'too much',
      `${batch({ op: 'create', path: 'A' })}\n`.repeat(limits.batchOperationsMax + 1),
      /^too_large/,
    ],
  ])('refuses %s', (_name, text, expected) => {
    expect(refusal(text)).toMatch(expected);
  });

  it('never repeats what a line says', () => {
    expect(refusal('{"op":"append","text":"secret')).not.toContain('secret');
    expect(refusal(batch({ op: 'append', text: ['secret'] }))).not.toContain('secret');
  });
});

describe('a batch', () => {
  const lines = batch(
    { op: 'create', path: 'B', content: 'x\n' },
    { op: 'append', name: 'B', text: 'y' },
    { op: 'rename', name: 'A', newName: 'C' },
    { op: 'delete', name: 'D' },
  );

  it('is one change, and each operation sees those before it', async () => {
    const opened = await openWrittenVault({ 'A.md': '[[D]]\n', 'D.md': '[[A]]\n' });
    const { change, results } = await opened.change(runBatch, {
      steps: readBatch(lines, { tools, dryRun: false }),
    });
    expect(change).toBe(1);
    expect(results).toHaveLength(4);
    expect(opened.text('B.md')).toBe('x\ny\n');
    expect(opened.text('.trash/D.md')).toBe('[[C]]\n');
    await opened.close();
  });

  it('does nothing when one of its lines fails, and says which', async () => {
    const opened = await openWrittenVault({ 'A.md': 'a\n' });
    const failing = opened.change(runBatch, { steps: readBatch(lines, { tools, dryRun: false }) });
    const { code, message } = await failing.then(
      () => expect.unreachable(),
      (error: unknown) => toVaultError(error),
    );
    expect(`${code}: ${message}`).toMatch(/^not_found: Line 4: /);
    expect(opened.files()).toEqual({ 'A.md': 'a\n' });
    await opened.close();
  });
});
