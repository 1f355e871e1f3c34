import { describe, expect, it } from 'vitest';
import { agent, openDesk, owner } from '../../../test/support/desk-vault.ts';

const outcomes = (all: readonly { readonly outcome: string }[]) =>
  all.map(({ outcome }) => outcome);

describe('accepting several proposals for one note', () => {
  const appends = ['one', 'two', 'three', 'four'];

  it.each(['start\n', 'start', ''])('makes all of them, on %j', async (start) => {
    const { desk, propose, text } = await openDesk({ 'Log.md': start });
    const ids = [];
    for (const each of appends) {
      ids.push(await propose('append_note', { name: 'Log', text: each }));
    }
    expect(outcomes(await desk.accept(ids, owner))).toEqual(['made', 'made', 'made', 'made']);
    expect(text('Log.md').trim().split('\n').slice(-4)).toEqual(appends);
  });

  it('makes a rename and what follows it in the notes whose links it updated', async () => {
    const { desk, propose, text } = await openDesk({ 'A.md': 'a [[A]]\n', 'B.md': 'see [[A]]\n' });
    const ids = [
      await propose('append_note', { name: 'A', text: 'more' }),
      await propose('rename_note', { old_name: 'A', new_name: 'C' }),
      await propose('append_note', { name: 'B', text: 'end' }),
    ];
    expect(outcomes(await desk.accept(ids, owner))).toEqual(['made', 'made', 'made']);
    expect([text('C.md'), text('B.md')]).toEqual(['a [[C]]\nmore\n', 'see [[C]]\nend\n']);
  });

  it('shows one again that would remove other lines than were shown', async () => {
    const { desk, propose, text } = await openDesk({ 'Log.md': 'start\n' });
    const one = await propose('append_note', { name: 'Log', text: 'one' });
    const all = await propose('update_note', { name: 'Log', content: 'all new' });
    expect(outcomes(await desk.accept([one, all], owner))).toEqual(['made', 'replanned']);
    expect(text('Log.md')).toBe('start\none\n');
  });

  it('shows one again when somebody else has changed the note too', async () => {
    const { desk, propose, disk } = await openDesk({ 'Log.md': 'start\n' });
    const one = await propose('append_note', { name: 'Log', text: 'one' });
    const other = { ...agent, client: 'other' };
    const two = await propose('append_note', { name: 'Log', text: 'two' }, other);
    const three = await propose('append_note', { name: 'Log', text: 'three' });
    expect(outcomes(await desk.accept([one, two, three], owner))).toEqual([
      'made',
      'replanned',
      'made',
    ]);
    const four = await propose('append_note', { name: 'Log', text: 'four' });
    const five = await propose('append_note', { name: 'Log', text: 'five' });
    disk.write('Log.md', 'by hand\n');
    expect(outcomes(await desk.accept([four, five], owner))).toEqual(['replanned', 'replanned']);
    // In two commands the owner has seen the first result before the second.
    const [newFour, newFive] = [await desk.proposal(four), await desk.proposal(five)];
    await desk.accept([newFour.shownAs], owner);
    expect(outcomes(await desk.accept([newFive.shownAs], owner))).toEqual(['replanned']);
  });
});

describe('what a plan is made on', () => {
  it('is also the content of an attachment', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'img.png': 'old', 'b.png': 'b' });
    const id = await propose('delete_note', { name: 'img.png' });
    const moved = await propose('rename_note', { old_name: 'b.png', new_name: 'F/b.png' });
    disk.write('img.png', 'new');
    disk.write('b.png', 'B');
    expect(outcomes(await desk.accept([id, moved], owner))).toEqual(['replanned', 'replanned']);
    expect([text('img.png'), text('b.png')]).toEqual(['new', 'B']);
    const shown = [(await desk.proposal(id)).shownAs, (await desk.proposal(moved)).shownAs];
    expect(outcomes(await desk.accept(shown, owner))).toEqual(['made', 'made']);
  });

  it.each<[string, (disk: { write(path: string, text: string): void }) => void]>([
    ['a new file', (disk) => disk.write('F/new.md', 'new')],
    ['another attachment', (disk) => disk.write('F/Sub/x.png', 'other')],
  ])('is also what is in a moved folder: %s', async (_, change) => {
    const { desk, propose, disk, files } = await openDesk({ 'F/a.md': 'a', 'F/Sub/x.png': 'x' });
    const id = await propose('rename_note', { old_name: 'F/', new_name: 'G/' });
    change(disk);
    expect(outcomes(await desk.accept([id], owner))).toEqual(['replanned']);
    expect(Object.keys(files())).toContain('F/a.md');
    const { shownAs } = await desk.proposal(id);
    expect(outcomes(await desk.accept([shownAs], owner))).toEqual(['made']);
    expect(Object.keys(files())).toContain('G/a.md');
  });

  it('stays the same as long as nothing changes', async () => {
    const { desk, propose, disk } = await openDesk({ 'F/a.md': 'a', 'img.png': 'x' });
    const ids = [
      await propose('rename_note', { old_name: 'F/', new_name: 'G/' }),
      await propose('delete_note', { name: 'img.png' }),
    ];
    disk.write('img.png', 'x');
    expect(outcomes(await desk.accept(ids, owner))).toEqual(['made', 'made']);
  });
});

describe('a proposal that is named as it was shown', () => {
  it('is made only with that plan', async () => {
    const { desk, propose, disk, text } = await openDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' });
    const { shownAs } = await desk.proposal(id);
    expect(shownAs).toMatch(new RegExp(`^${id}@[0-9a-f]{6}$`));
    disk.write('A.md', 'ONE\n');
    // Another owner looks at the new plan.
    expect(outcomes(await desk.accept([id], owner))).toEqual(['replanned']);
    const [again] = await desk.accept([shownAs], owner);
    expect(again).toMatchObject({ outcome: 'replanned', id });
    expect(text('A.md')).toBe('ONE\n');
    const now = (await desk.proposal(id)).shownAs;
    expect(again).toHaveProperty('proposal.shownAs', now);
    expect(now).not.toBe(shownAs);
    expect(await desk.accept([now], owner)).toMatchObject([{ outcome: 'made', id }]);
    expect(text('A.md')).toBe('ONE\ntwo\n');
  });
});
