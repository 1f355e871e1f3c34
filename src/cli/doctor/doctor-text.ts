import { counted, lines } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { commandText } from '../shell/command-text.ts';
import { wrapAroundQuotes } from '../shell/wrap-text.ts';
import type { Finding, FindingGroup, Said } from './finding.ts';

const marks: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok',
  warning: 'warn',
  bad: 'BAD',
};
const markWidth = 6;

interface TextForm {
  readonly paint: Paint;
  /** The width of the terminal, into which sentences are wrapped; absent where there is none. */
  readonly columns?: number;
  /** Whether every check has a line of its own, also where nothing is to be done. */
  readonly all: boolean;
  /** The words after `doctor` with which it was called, for the command that shows more. */
  readonly words?: readonly string[];
}

/**
 * The findings for people: first what does not work, then what could be better, then a line for each
 * group in which all is fine. With `all`, every finding in the order in which it was looked at.
 */
export function doctorText(
  groups: readonly FindingGroup[],
  { paint, columns, all, words = [] }: TextForm,
): string {
  const findings = groups.flatMap((group) => group.findings);
  const rows = all ? findings : findings.filter(needsSomething);
  const indent = markWidth + Math.max(0, ...rows.map(({ check }) => check.length)) + 2;
  const wrap = (text: string, from: number): readonly string[] =>
    columns === undefined ? [text] : wrapAroundQuotes(text, Math.max(columns - from - 1, 30));
  const row = (state: Finding['state'], start: string, text: string, from: number): string[] => {
    const [first = '', ...rest] = wrap(text, from);
    const mark = painted(state, marks[state].padEnd(markWidth), paint);
    return [`${mark}${start}${first}`, ...rest.map((line) => ' '.repeat(from) + line)];
  };
  const found = (finding: Finding, others: readonly Finding[]): string[] => [
    ...row(finding.state, finding.check.padEnd(indent - markWidth), finding.says.shown, indent),
    ...changeText(finding, others)
      .flatMap((text) => wrap(text, indent))
      .map((line) => ' '.repeat(indent) + paint.strong(line)),
  ];
  const shown = all ? groups : [...groups.filter(isBad), ...groups.filter(isDoubtful)];
  const fine = all
    ? []
    : groups.filter(({ findings }) => findings.some(isFine) && !findings.some(needsSomething));
  return lines([
    ...shown.flatMap((group) => [
      paint.strong(group.title.shown),
      ...(all ? group.findings : worstFirst(group.findings)).flatMap((finding, _at, ordered) =>
        found(finding, ordered),
      ),
      ...(!all && group.namesFine && isDoubtful(group)
        ? row('ok', '', `Checked and fine: ${fineNames(group)}`, markWidth)
        : []),
      '',
    ]),
    ...fine.flatMap((group) =>
      row('ok', '', `${group.title.shown}: ${fineNames(group)}`, markWidth),
    ),
    ...(fine.length === 0 ? [] : ['']),
    lastSentence(findings, paint),
    ...(all
      ? []
      : [
          `Every check with what was found: ${commandText(['doctor', ...words, '--all'], undefined)}`,
        ]),
  ]);
}

/** A check that is fine, with the little that is said of it in short. */
function nameOf({ check, inShort }: Finding): string {
  return inShort === undefined ? check : `${check} (${inShort})`;
}

/** What needs something: what is bad, and then what is doubtful. */
function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  const states = ['bad', 'warning'] as const;
  return states.flatMap((wanted) => findings.filter(({ state }) => state === wanted));
}

function isBad({ findings }: FindingGroup): boolean {
  return findings.some(({ state }) => state === 'bad');
}

/** Whether something of a group could be better, and nothing is bad. */
function isDoubtful(group: FindingGroup): boolean {
  return !isBad(group) && group.findings.some(needsSomething);
}

function fineNames({ findings }: FindingGroup): string {
  return Array.from(new Set(findings.filter(isFine).map(nameOf))).join(', ');
}

function isFine({ state, isAbsent }: Finding): boolean {
  return state === 'ok' && isAbsent !== true;
}

function needsSomething({ state }: Finding): boolean {
  return state !== 'ok';
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
  if (all.some(({ isNothing }) => isNothing)) {
    const also = doubtful.filter((name) => name !== 'apps');
    const more = also.length === 0 ? '' : ` Also look at: ${also.join(', ')}.`;
    return `Nothing is set up here: no app and no server uses Vaultdoor.${more}`;
  }
  if (doubtful.length === 0) return paint.good('Everything is in order.');
  return `Everything works. ${counted(doubtful.length, 'thing')} could be better: ${doubtful.join(', ')}.`;
}

function namesOf(all: readonly Finding[], state: Finding['state']): readonly string[] {
  return all.filter((found) => found.state === state).map(({ check }) => check);
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
