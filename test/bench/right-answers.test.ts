import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type PeerName, peerAsks } from '../../bench/bench-programs.ts';
import { prepareWorld, restoreWorld, type World } from '../../bench/bench-world.ts';
import { generateVault } from '../../bench/generate-vault.ts';
import { type RecordedPeer, recordedVault } from '../../bench/record-answers.ts';
import { appendedLine, isRight, type Question } from '../../bench/right-answers.ts';
import { tempFolder } from '../support/temp-folder.ts';

// What counts as a right answer in the bench, with answers that the real peers have given
// (bench/record-answers.ts): a program that finds nothing must not win.

const recorded = JSON.parse(
  readFileSync(new URL('peer-answers.json', import.meta.url), 'utf8'),
) as Record<PeerName, RecordedPeer>;

function world(onFinished?: (end: () => void) => void): World {
  const folder = tempFolder({}, onFinished);
  generateVault(folder, recordedVault);
  return prepareWorld(folder);
}

const asked = Object.entries(peerAsks).flatMap(([peer, asks]) =>
  Object.entries(asks).map(([question, ask]) => ({
    peer: peer as PeerName,
    question: question as Question,
    ask,
  })),
);
const onDisk = (question: Question): boolean => question === 'rename' || question === 'append';

describe('the adapters of peers', () => {
  const seen = world(afterAll);

  it.each(asked)('give $peer what its tool must have to $question', ({ peer, ask }) => {
    const required = recorded[peer].required[ask.tool];
    expect(required).toBeDefined();
    expect(Object.keys(ask.args(seen, 0))).toEqual(expect.arrayContaining([...(required ?? [])]));
  });

  it.each(asked.filter(({ question }) => !onDisk(question)))(
    'take what $peer says to $question for right, and nothing like it for wrong',
    ({ peer, question }) => {
      const answer = recorded[peer].answers[question] ?? '';
      expect(isRight[question](answer, seen, 0)).toBe(true);
      for (const wrong of ['', '[]', 'No matches found', '{"matches":[],"total":0}']) {
        expect(isRight[question](wrong, seen, 0)).toBe(false);
      }
    },
  );

  it('ask each turn of a search for something else, which some notes have', () => {
    expect(new Set(seen.queries.map(({ text }) => text)).size).toBe(seen.queries.length);
    for (const { paths } of seen.queries) expect(paths.length).toBeGreaterThan(0);
  });
});

describe('a change', () => {
  it('is right when all referring notes have the new name on disk', () => {
    const seen = world();
    const [before, after] = seen.hub;
    const isRenamed = (): boolean => isRight.rename('done', seen, 0);
    expect(isRenamed()).toBe(false);
    renameSync(join(seen.folder, before.path), join(seen.folder, after.path));
    expect(isRenamed()).toBe(false);
    for (const path of seen.referrers) {
      expect(isRenamed()).toBe(false);
      const file = join(seen.folder, path);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(before.name, after.name));
    }
    expect(isRenamed()).toBe(true);
    expect(isRight.rename('done', seen, 1)).toBe(false);
    restoreWorld(seen.folder);
    expect(isRight.rename('done', seen, 1)).toBe(true);
  });

  it('is right when the line stands at the end of the note', () => {
    const seen = world();
    const file = join(seen.folder, seen.append);
    expect(isRight.append('done', seen, 0)).toBe(false);
    writeFileSync(file, `# Appended\n\n${appendedLine(0)}\n`);
    expect(isRight.append('done', seen, 0)).toBe(true);
    expect(isRight.append('done', seen, 1)).toBe(false);
  });
});
