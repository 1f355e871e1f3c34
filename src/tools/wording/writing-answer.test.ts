import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { writingAnswer } from './writing-answer.ts';

const report = { path: 'A.md', dryRun: false, files: [], kept: [], warnings: [] };

describe('writingAnswer', () => {
  it.each<[object, object]>([
    [{}, { path: 'A.md', done: true, change: null }],
    [
      { change: 3, version: 'v' as Version, newTags: [] },
      { path: 'A.md', done: true, change: 3, version: 'v' },
    ],
    [{ newTags: ['a'] }, { path: 'A.md', done: true, change: null, new_tags: ['a'] }],
    [
      { warnings: ['Take care.'], kept: [vaultPath('B.md')] },
      {
        path: 'A.md',
        done: true,
        change: null,
        warnings: [
          'Take care.',
          '"B.md" was changed by another program at the same time; that program\'s version was kept.',
        ],
      },
    ],
    [
      { dryRun: true, diff: '-a\n+b\n' },
      { path: 'A.md', done: true, change: null, dry_run: true, diff: '-a\n+b\n' },
    ],
  ])('of %j is %j', (more, expected) => {
    expect(writingAnswer({ ...report, ...more }, { done: true })).toEqual(expected);
  });

  it('always fits', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `${'"'.repeat(1_000)}${n}`);
    const answer = writingAnswer(
      {
        ...report,
        dryRun: true,
        diff: many.join('\n'),
        warnings: many,
        newTags: many,
      },
      { done: true },
    );
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limits.answerCharsMax);
    expect(answer).toHaveProperty('warnings.0');
    expect(answer).toHaveProperty('new_tags.0');
  });
});
