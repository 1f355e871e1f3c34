import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { plainPaint } from '../wording/plain-voice.ts';
import { changeText, diffText, type ShownReport } from './change-text.ts';

const paint = plainPaint;
const marks = {
  ...plainPaint,
  strong: (text: string) => `<b>${text}</b>`,
  faint: (text: string) => `<f>${text}</f>`,
  good: (text: string) => `<g>${text}</g>`,
  bad: (text: string) => `<r>${text}</r>`,
};
const report: ShownReport = { change: 12, dryRun: false, files: [], kept: [], warnings: [] };

describe('changeText', () => {
  it('shows what a change was about before what only followed, by path', () => {
    const files = [
      { path: 'Z.md', did: 'changed' },
      { path: 'C.md', did: 'changed' },
      { path: 'B.md', did: 'moved', from: 'A.md' },
    ] as const;
    expect(changeText({ ...report, files }, paint)).toBe(
      'moved A.md -> B.md\nchanged C.md\nchanged Z.md\nchange 12; "vaultdoor undo 12" takes it back\n',
    );
  });

  it('does not call a note created that an undo brings back', () => {
    const files = [{ path: 'A.md', did: 'created' }] as const;
    expect(changeText({ ...report, files }, paint)).toMatch(/^created A\.md\n/);
    expect(changeText({ ...report, files, undone: [11] }, paint)).toMatch(/^brought back A\.md\n/);
  });

  it('shows no more than 20 files', () => {
    const files = Array.from({ length: 1020 }, (_, i) => {
      return { path: `${String(i).padStart(4, '0')}.md`, did: 'changed' } as const;
    });
    const lines = changeText({ ...report, files }, paint).split('\n');
    expect(lines.slice(19)).toEqual([
      'changed 0019.md',
      '… and 1,000 more',
      'change 12; "vaultdoor undo 12" takes it back',
      '',
    ]);
  });

  it('shows warnings and kept files, and keeps control characters from the terminal', () => {
    const told = { ...report, warnings: ['Take care.'], kept: ['A\u001b[2J.md'] };
    expect(changeText(told, paint, ['2 links updated'])).toBe(
      [
        '2 links updated',
        '! Take care.',
        '! A·[2J.md was changed by another program in the meantime and was left as it is.',
        'change 12; "vaultdoor undo 12" takes it back\n',
      ].join('\n'),
    );
  });

  it('says when there was nothing to do', () => {
    const { change: _, ...nothing } = report;
    expect(changeText(nothing, paint, ['it is there already'])).toBe(
      'nothing to change\nit is there already\n',
    );
    expect(changeText({ ...nothing, dryRun: true, diff: '' }, paint)).toBe('nothing to change\n');
  });

  it('is the diff in a dry run, behind the warnings', () => {
    const { change: _, ...tried } = { ...report, dryRun: true, diff: '--- a/A.md\n-x\n' };
    expect(changeText({ ...tried, warnings: ['Take care.'] }, paint)).toBe(
      '! Take care.\n--- a/A.md\n-x\n',
    );
  });
});

describe('diffText', () => {
  it('changes nothing but colours', () => {
    const diff =
      'diff --git a/A.md b/A.md\n--- a/A.md\n+++ b/A.md\n@@ -1 +1 @@\n x\r\n-a\r\n+b\n\\ No newline at end of file\n';
    expect(diffText(diff, paint)).toBe(diff);
    expect(diffText(diff, marks).replace(/<\/?[bfgr]>/g, '')).toBe(diff);
    expect(diffText('+a\n-b\n c\n@@ x\n', marks)).toBe('<g>+a</g>\n<r>-b</r>\n c\n<f>@@ x</f>\n');
  });

  it.each<[string, before: string, after: string, lines: string]>([
    ['a line appended', 'a\nb', 'a\nb\nc\n', '@@ -1,2 +1,3 @@| a| b|+c|'],
    ['a line prepended', 'b', 'a\nb', '@@ -1 +1,2 @@|+a| b|'],
    ['the last line deleted', 'a\nb', 'a', '@@ -1,2 +1 @@| a|-b|'],
    ['the last line replaced', 'a\nb', 'a\nc', '@@ -1,2 +1,2 @@| a|-b|+c|'],
    ['a line end added', 'a', 'a\n', '@@ -1 +1 @@| a|\\ Only the line end differs|'],
    ['other line ends', 'a\r\nb\r\n', 'a\nc\n', '@@ -1,2 +1,2 @@| a|-b\r|+c|'],
    ['lines that look like a diff', '-- x\ny', '-- x\n@@\ny', '@@ -1,2 +1,3 @@| -- x|+@@| y|'],
    ['text that looks like a name', 'a', '++ b\na', '@@ -1 +1,2 @@|+++ b| a|'],
  ])('shows a person at a terminal %s without lines that stay', (_, before, after, lines) => {
    const file = { from: 'A.md', to: 'A.md', before, after };
    const diff = unifiedDiff(file) + unifiedDiff({ from: 'B.md', to: 'C.md' });
    const shown = diffText(diff, { ...paint, isTerminal: true });
    expect(shown.replaceAll('\n', '|')).toBe(
      `diff --git a/A.md b/A.md|--- a/A.md|+++ b/A.md|${lines}` +
        'diff --git a/B.md b/C.md|rename from B.md|rename to C.md|',
    );
  });

  it('shows a person a diff of very many lines', () => {
    const file = { from: 'A.md', to: 'A.md', before: '', after: 'a\n'.repeat(300_000) };
    expect(diffText(unifiedDiff(file), { ...paint, isTerminal: true })).toContain('\n+a\n');
  });
});
