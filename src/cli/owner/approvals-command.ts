import { limits } from '../../base/limits.ts';
import { shownText } from '../../base/one-line.ts';
import { toVaultError, type VaultError } from '../../base/vault-error.ts';
import type { Question } from '../../engine/ports/questions.ts';
import { changeText } from '../../tools/cli/change-text.ts';
import { plainDiff } from '../../tools/cli/plain-diff.ts';
import { counted, lines } from '../../tools/cli/text.ts';
import { undoneNotes } from '../../tools/cli/undo.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { isOpen, type ShownQuestion } from '../../tools/owner/shown-question.ts';
import { type ApprovalsOptions, readApprovalsOptions } from '../options/approvals-options.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print, printJson, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { wrapText } from '../shell/wrap-text.ts';
import { withClusterBooks } from '../vaults/cluster-access.ts';
import { withTokenName } from '../vaults/token-names.ts';
import { type DeskAtShell, deskHelp, withDesk } from './desk-at.ts';
import {
  appText,
  askerText,
  momentText,
  nextCommand,
  shownLine,
  waitsText,
} from './owner-words.ts';

const help = `Usage: vaultdoor approvals [list] [--all]
       vaultdoor approvals show <id>
       vaultdoor approvals allow <id>… [--session]
       vaultdoor approvals deny <id>… [--reason <text>] [--undo]

Answer the questions that apps wait for: whether one may go on that has deleted or overwritten
many files within ten minutes (--brake of the serving commands). A call waits 20 seconds for the
answer; after that the question stays for a day, and the app can call again. Until you answer,
whatever else the app deletes or overwrites asks too. Only you can answer, here: no app can.

  --vault <folder>    The vault; otherwise OBSIDIAN_VAULT_PATH, VAULT_PATH, the vault that the current
                      folder is in, or the only one that is known.
  --all               Also list the questions that are answered.
  --session           Allow what the same app deletes and overwrites for the next ten minutes;
                      otherwise only the one call is allowed, once.
  --reason <text>     Why you deny it; the app gets to read it.
  --undo              Also take back what the app had deleted or overwritten in the ten minutes
                      before it asked. What cannot be restored is listed.
${clusterHelp}${deskHelp}  --json              The whole answer as JSON.

Examples:
  vaultdoor approvals
  vaultdoor approvals allow q3 --session
  vaultdoor approvals deny q3 --reason 'Keep the drafts.' --undo
`;

/** `vaultdoor approvals`: the owner answers the questions that clients wait for. */
export const approvalsProgram: Program = { help, run };

/** The exit code when a change was taken back, but not all of it; as that of `vaultdoor undo`. */
const leftCode = 1;

type Asked<Action> = Extract<ApprovalsOptions, { readonly action: Action }>;

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withClusterBooks(shell, argv, (cluster, rest) => {
    const options = readApprovalsOptions(rest);
    return withDesk(shell, options, cluster, async (at) => {
      switch (options.action) {
        case 'list':
          return list(shell, options, at);
        case 'show':
          return show(shell, options, at);
        case 'allow':
          return allow(shell, options, at);
        case 'deny':
          return deny(shell, options, at);
      }
    });
  });
}

async function list(
  shell: Shell,
  { all, json, vault }: Asked<'list'>,
  { desk, tokens }: DeskAtShell,
): Promise<number> {
  const questions = await desk.questions({ open: !all });
  if (json) {
    // The diffs are long: "show" has them.
    const rows = questions.map(({ diff: _, ...each }) => fieldsOf(each, tokens));
    return printJson(shell, { questions: rows });
  }
  if (questions.length === 0) {
    return remark(shell, all ? 'There are no questions.' : 'No question waits for an answer.');
  }
  const paint = paintFor(shell.stdout, shell.env, vault);
  const [newest] = questions.filter(isOpen);
  return print(
    shell,
    lines([
      ...questions.flatMap((question) => listedText(question, tokens, paint)),
      ...(newest === undefined ? [] : ['', showHint(newest, vault), answersHint(newest, vault)]),
    ]),
  );
}

async function show(
  shell: Shell,
  { id, json, vault }: Asked<'show'>,
  { desk, tokens }: DeskAtShell,
): Promise<number> {
  const question = await desk.question(id);
  if (json) return printJson(shell, fieldsOf(question, tokens));
  const { paths, files, diff = '' } = question;
  const paint = paintFor(shell.stdout, shell.env, vault);
  return print(
    shell,
    lines([
      `${question.id}  asked ${momentText(question.timeMs)} by ${askerText(question.asker, tokens)}`,
      shownLine(question.text),
      `${shownLine(question.tool)} would delete or overwrite ${counted(files, 'file')}:`,
      ...paths.map((path) => `  ${shownLine(path)}`),
      ...(files > paths.length ? [`  … and ${files - paths.length} more`] : []),
      ...(diff === '' ? [] : [plainDiff(shownText(diff), paint).text.trimEnd(), '']),
      ...(question.changed === undefined ? [] : [changedText(question.changed)]),
      stateText(question),
      ...(isOpen(question) ? ['', answersHint(question, vault)] : []),
    ]),
  );
}

function allow(
  shell: Shell,
  options: Asked<'allow'>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<number> {
  const { session } = options;
  const minutes = limits.brakeMs / 60_000;
  return eachAnswered(shell, options, async (id) => {
    const { question } = await desk.answer(id, { says: session ? 'session' : 'once' }, owner);
    const more = `, and what ${askerText(question.asker, tokens)} deletes and overwrites in the next ${minutes} minutes`;
    return {
      fields: fieldsOf(question, tokens),
      text: lines([
        `Allowed ${question.id}${session ? more : ' once'}.`,
        'A call that still waits goes on by itself; otherwise the app has to call again with the same arguments.',
      ]),
      code: 0,
    };
  });
}

function deny(
  shell: Shell,
  options: Asked<'deny'>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<number> {
  const { reason, undo, vault } = options;
  const answer = { says: 'deny', undo, ...(reason === undefined ? {} : { reason }) } as const;
  const paint = paintFor(shell.stdout, shell.env, vault);
  return eachAnswered(shell, options, async (id) => {
    const answered = await desk.answer(id, answer, owner);
    const { question, undone, undoFailure } = answered;
    const left = undone !== undefined && undone.left.length > 0 ? leftCode : 0;
    return {
      fields: {
        ...fieldsOf(question, tokens),
        ...(undone === undefined ? {} : { undone }),
        ...(undoFailure === undefined ? {} : { undoFailure: failureFields(undoFailure) }),
      },
      text:
        lines([`Denied ${question.id}.`]) +
        (undo ? undoText(answered, paint) : '') +
        lines(await otherWaiting(desk, question, options)),
      code: undoFailure === undefined ? left : exitCodes[undoFailure.code],
    };
  });
}

/** The questions of the same app that still wait, apart from those of the same command. */
async function otherWaiting(
  desk: DeskAtShell['desk'],
  { askerKey }: Question,
  { ids, vault }: Asked<'deny'>,
): Promise<readonly string[]> {
  const open = await desk.questions({ open: true });
  const others = open.filter((each) => each.askerKey === askerKey && !ids.includes(each.id));
  const [newest, ...older] = others.map(({ id }) => id);
  if (newest === undefined) return [];
  const what =
    older.length === 0 ? newest : `${newest} and ${counted(older.length, 'more question')}`;
  const wait = older.length === 0 ? 'waits' : 'wait';
  const show = nextCommand(older.length === 0 ? `approvals show ${newest}` : 'approvals', vault);
  return [`${what} of the same app still ${wait}: ${show} shows what is asked.`];
}

/**
 * Answers questions, each on its own: one that fails does not stop the others. Prints what became of
 * them, and answers the exit code of the first that is not as the owner wanted it.
 */
async function eachAnswered(
  shell: Shell,
  { ids, json }: Asked<'allow'> | Asked<'deny'>,
  answer: (id: string) => Promise<{ fields: object; text: string; code: number }>,
): Promise<number> {
  const [only, ...others] = Array.from(new Set(ids));
  if (only !== undefined && others.length === 0) {
    const { fields, text, code } = await answer(only);
    if (json) printJson(shell, fields);
    else print(shell, text);
    return code;
  }
  const answers: Awaited<ReturnType<typeof answer>>[] = [];
  for (const id of new Set(ids)) {
    answers.push(
      await answer(id).catch((thrown: unknown) => {
        const error = toVaultError(thrown);
        return {
          fields: { id, error: failureFields(error) },
          text: lines([`${shownLine(id)} failed: ${shownLine(error.message)}`]),
          code: exitCodes[error.code],
        };
      }),
    );
  }
  if (json) printJson(shell, { results: answers.map(({ fields }) => fields) });
  else print(shell, answers.map(({ text }) => text).join(''));
  return answers.find(({ code }) => code !== 0)?.code ?? 0;
}

function failureFields({ code, message }: VaultError): object {
  return { code, message };
}

function undoText(
  { undone, undoFailure }: Awaited<ReturnType<DeskAtShell['desk']['answer']>>,
  paint: Paint,
): string {
  if (undoFailure !== undefined) {
    return `The earlier changes were not taken back: ${shownLine(undoFailure.message)}\n`;
  }
  if (undone === undefined) return 'There were no earlier changes to take back.\n';
  return changeText(undone, paint, undoneNotes(undone));
}

/** A question in lines of its own, so that at a terminal nothing of it is cut. */
function listedText(
  question: ShownQuestion,
  tokens: DeskAtShell['tokens'],
  { strong, when, columns = Number.POSITIVE_INFINITY }: Paint,
): readonly string[] {
  const { id, timeMs, asker, tool, text } = question;
  const indented = (line: string): string[] =>
    wrapText(line, columns - 4).map((row) => `    ${row}`);
  return [
    `${strong(id)}  asked ${when(timeMs)}; ${stateText(question)}`,
    ...indented(`by ${appText(asker, tokens)}`),
    ...indented(`${shownLine(tool)}, ${filesText(question)}`),
    ...indented(shownLine(text)),
  ];
}

function filesText({ paths, files }: Question): string {
  const [first] = paths;
  if (first === undefined) return counted(files, 'file');
  const more = files > 1 ? ` and ${counted(files - 1, 'more file')}` : '';
  return `${shownLine(first)}${more}`;
}

function changedText(changed: readonly string[]): string {
  const names = changed.map((path) => `"${shownLine(path)}"`).join(', ');
  return `${names} changed since it was asked: this call cannot be allowed any more. If the app calls again, you are asked again.`;
}

const saysText = { once: 'allowed once', session: 'allowed for the session', deny: 'denied' };

function stateText({ timeMs, answer, used }: Question): string {
  if (answer === undefined && used)
    return 'closed: the app has made the call in an allowed session';
  if (answer === undefined) return waitsText(timeMs + limits.questionAgeMaxMs);
  const why = answer.reason === undefined ? '' : `: ${shownLine(answer.reason)}`;
  return `${saysText[answer.says]}${used ? ', and done' : ''}${why}`;
}

function showHint({ id }: Question, vault: string | undefined): string {
  return `${nextCommand(`approvals show ${id}`, vault)} shows what the call would do.`;
}

function answersHint({ id }: Question, vault: string | undefined): string {
  const command = (word: string): string => nextCommand(`approvals ${word} ${id}`, vault);
  return lines([
    `${command('allow')} allows this call; with --session also what the app does next.`,
    `${command('deny')} denies it; with --reason <text> the app is told why, and with --undo what it has done before is taken back.`,
  ]).trimEnd();
}

function fieldsOf(question: ShownQuestion, tokens: DeskAtShell['tokens']): object {
  const { askerKey: _, argsHash: __, contents: ___, denied: ____, asker, ...fields } = question;
  const expiresMs = question.timeMs + limits.questionAgeMaxMs;
  return { ...fields, asker: withTokenName(asker, tokens), expiresMs };
}
