import { describe, expect, it, onTestFinished } from 'vitest';
import { change, make } from '../../../test/support/change-records.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import { appendNote } from '../operations/write/append-note.ts';

async function opened() {
  const vault = await openWrittenVault({ 'A.md': 'one\n' });
  onTestFinished(() => vault.close());
  const { version } = await vault.vault.readText(vaultPath('A.md'));
  const append = (given: string) =>
    vault.change(appendNote, { name: 'A', text: 'two', version: given as VersionStart });
  return { vault, version, append };
}

/** Puts another content into the history whose version begins with the same digits. */
async function keepOther(vault: Awaited<ReturnType<typeof opened>>['vault'], version: Version) {
  await make(vault.whole.parts.state, change([]), {
    contents: [{ version, bytes: new Uint8Array(1) }],
  });
}

describe('the version that a caller expects', () => {
  it.each([12, 13, 40, 64])('holds with its first %i digits', async (digits) => {
    const { vault, version, append } = await opened();
    await append(version.slice(0, digits));
    expect(vault.text('A.md')).toBe('one\ntwo\n');
  });

  it.each([12, 64])('does not hold when one of %i digits is another', async (digits) => {
    const { vault, version, append } = await opened();
    const last = version.charAt(digits - 1) === '0' ? '1' : '0';
    const failure = await failureOf(append(version.slice(0, digits - 1) + last));
    expect(failure).toMatchObject({
      code: 'conflict',
      details: { path: 'A.md', version: version.slice(0, 12) },
    });
    expect(vault.text('A.md')).toBe('one\n');
  });

  it('is a conflict when history keeps another content with these digits', async () => {
    const { vault, version, append } = await opened();
    await keepOther(vault, `${version.slice(0, 20)}${'0'.repeat(44)}` as Version);
    const failure = await failureOf(append(version.slice(0, 12)));
    expect(failure).toMatchObject({ code: 'conflict', details: { version } });
    expect(failure.message).toContain(version);
    expect(vault.text('A.md')).toBe('one\n');
    await append(version.slice(0, 21));
    expect(vault.text('A.md')).toBe('one\ntwo\n');
  });
});
