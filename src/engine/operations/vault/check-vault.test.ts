import { expect, it } from 'vitest';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { Progress } from '../../../base/caller.ts';
import { checkVault } from './check-vault.ts';

const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, number) => [`Note ${number}.md`, `[[Note ${number + 1}]]\n`]),
);

it('tells how far it is', async () => {
  const { as, close } = await openWrittenVault(files);
  const heard: Progress[] = [];
  const answer = await checkVault(as({ progress: (progress) => heard.push(progress) }));
  expect(answer).toMatchObject({ files: 40, index: [] });
  expect(heard).toContainEqual(expect.objectContaining({ done: 40, total: 40 }));
  await close();
});

it('ends when the caller leaves, and the vault goes on', async () => {
  const { as, whole, close } = await openWrittenVault(files);
  const left = new AbortController();
  const { parts } = whole;
  let scans = 0;
  const scan = parts.scanner.scan.bind(parts.scanner);
  Object.assign(parts.scanner, {
    scan: (...given: Parameters<typeof scan>) => {
      scans++;
      left.abort();
      return scan(...given);
    },
  });
  await expect(checkVault(as({ signal: left.signal }))).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(scans).toBe(1);
  const { index } = await checkVault(as({}));
  expect(index).toEqual([]);
  await close();
});
