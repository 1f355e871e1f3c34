import { counted, lines } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import type { Finding, FindingGroup, Said } from './finding.ts';

const marks: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok',
  warning: 'warn',
  bad: 'BAD',
};
const markWidth = 6;

/**
 * The findings as a table for people. `columns` is the width of the terminal, into which sentences are
 * wrapped; absent where there is none.
 */
export function doctorText(
  groups: readonly FindingGroup[],
  { paint, columns }: { readonly paint: Paint; readonly columns?: number },
): string {
  const all = groups.flatMap(({ findings }) => findings);
  const width = Math.max(...all.map(({ check }) => check.length)) + 2;
  const indent = markWidth + width;
  const wrap = (text: string): readonly string[] =>
    columns === undefined ? [text] : wrapped(text, Math.max(columns - indent - 1, 30));
  return lines([
    ...groups.flatMap(({ title, findings }) => [
      paint.strong(title.shown),
      ...findings.flatMap((found) => {
        const [first = '', ...rest] = wrap(found.says.shown);
        const mark = painted(found.state, marks[found.state].padEnd(markWidth), paint);
        return [
          `${mark}${found.check.padEnd(width)}${first}`,
          ...rest.map((line) => ' '.repeat(indent) + line),
          ...changeText(found, findings)
            .flatMap(wrap)
            .map((line) => ' '.repeat(indent) + paint.strong(line)),
        ];
      }),
      '',
    ]),
    lastSentence(all, paint),
  ]);
}

function painted(state: Finding['state'], mark: string, paint: Paint): string {
  if (state === 'ok') return paint.good(mark);
  return state === 'bad' ? paint.bad(mark) : paint.strong(mark);
}

/** One cause often shows in several lines: what to do is said at the first of them. */
function changeText({ check, change }: Finding, findings: readonly Finding[]): readonly string[] {
  if (change === undefined) return [];
  const first = findings.find((found) => found.change?.shown === change.shown);
  return [first?.check === check ? change.shown : `As at "${first?.check}".`];
}

function lastSentence(all: readonly Finding[], paint: Paint): string {
  const wrong = namesOf(all, 'bad');
  const doubtful = namesOf(all, 'warning');
  if (wrong.length > 0) {
    const also = doubtful.length === 0 ? '' : ` Also look at: ${doubtful.join(', ')}.`;
    const needs = wrong.length === 1 ? 'needs' : 'need';
    return paint.bad(
      `${counted(wrong.length, 'thing')} ${needs} attention: ${wrong.join(', ')}.${also}`,
    );
  }
  if (doubtful.length === 0) return paint.good('Everything is in order.');
  return `Everything works. ${counted(doubtful.length, 'thing')} could be better: ${doubtful.join(', ')}.`;
}

function namesOf(all: readonly Finding[], state: Finding['state']): readonly string[] {
  return all.filter((found) => found.state === state).map(({ check }) => check);
}

/** Breaks a text into lines of at most so many characters, where words end. */
function wrapped(text: string, width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else {
      row = row === '' ? word : `${row} ${word}`;
    }
  }
  return [...rows, row];
}

/**
 * The findings as Markdown for an issue that everybody can read: without names of notes, vaults,
 * people and machines.
 */
export function doctorReport(groups: readonly FindingGroup[]): string {
  const rowOf = ({ check, state, says, change }: Finding): string => {
    const found = [says, ...(change === undefined ? [] : [change])].map(cell).join(' ');
    return `| ${marks[state]} | ${check} | ${found} |`;
  };
  return lines([
    '### vaultdoor doctor --report',
    '',
    ...groups.flatMap(({ title, findings }) => [
      `**${title.reported}**`,
      '',
      '| | check | found |',
      '|---|---|---|',
      ...findings.map(rowOf),
      '',
    ]),
  ]);
}

function cell({ reported }: Said): string {
  return reported.replaceAll('|', '\\|');
}
