import { expect, it } from 'vitest';
import { versionOf } from '../../../test/support/change-records.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { PlannedFile, ProposedPlan } from '../ports/proposals.ts';
import { isSameEdit } from './same-edit.ts';

const [path, other] = [vaultPath('A.md'), vaultPath('B.md')];
const [v1, v2, v3, v4] = [versionOf('1'), versionOf('2'), versionOf('3'), versionOf('4')];
const made: readonly PlannedFile[] = [{ path, before: v1, after: v2 }];
const write = (before: typeof v1, after: typeof v1): PlannedFile => ({ path, before, after });
const plan = (basis: readonly PlannedFile[], diff = '@@ -1 +1,2 @@\n a\n+b\n'): ProposedPlan => ({
  plannedMs: 1,
  diff,
  basis,
});
const shown = plan([write(v1, v3)]);

it.each<[string, boolean, ProposedPlan, readonly PlannedFile[]]>([
  [
    'the same lines, after what was made',
    true,
    plan([write(v2, v4)], '@@ -2 +2,2 @@\n x\n+b\n'),
    made,
  ],
  ['other lines', false, plan([write(v2, v4)], '@@ -1 +1,2 @@\n a\n+c\n'), made],
  ['a version that nothing made leads to', false, plan([write(v4, v2)]), made],
  ['what was made of another file', false, plan([write(v2, v4)]), [{ ...made[0], path: other }]],
  ['another result on the same version', false, plan([write(v1, v4)]), made],
  ['one more file', false, plan([write(v2, v4), { path: other, before: v1 }]), made],
  ['another file', false, plan([{ ...write(v2, v4), path: other }]), made],
  ['nothing was made', false, plan([write(v2, v4)]), []],
  ['a circle', false, plan([write(v4, v2)]), [write(v1, v2), write(v2, v1)]],
])('%s: %s', (_, isSame, now, madeFiles) => {
  expect(isSameEdit(shown, now, madeFiles)).toBe(isSame);
});

it('is not said of files whose contents a diff does not show', () => {
  const binary = 'Binary files a/A.md and b/A.md differ\n';
  expect(isSameEdit(plan([write(v1, v3)], binary), plan([write(v2, v4)], binary), made)).toBe(
    false,
  );
});

it('counts a line as the same that only got its line end', () => {
  const first = '-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n';
  expect(isSameEdit(plan([write(v1, v3)], first), plan([write(v2, v4)], ' a\n+b\n'), made)).toBe(
    true,
  );
});
