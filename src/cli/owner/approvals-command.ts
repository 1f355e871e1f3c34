import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import type { Question } from '../../engine/ports/questions.ts';
import { changeText } from '../../tools/cli/change-text.ts';
import { counted, lines, plain } from '../../tools/cli/text.ts';
import { undoneNotes } from '../../tools/cli/undo.ts';
import type { OwnerDesk } from '../../tools/owner/owner-desk.ts';
import { type ApprovalsOptions, readApprovalsOptions } from '../options/approvals-options.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { type DeskAtShell, withDesk } from './desk-at.ts';
import { askerFields, askerText, momentText, nextCommand, waitsText } from './owner-words.ts';

const help = `Usage: vaultdoor approvals [list] [--all]
       vaultdoor approvals show <id>
       vaultdoor approvals allow <id> [--session]
       vaultdoor approvals deny <id> [--reason <text>] [--undo]

Answer the questions that clients wait for: whether one may go on that has deleted or overwritten
many files within ten minutes (--brake of the serving commands). A call waits 20 seconds for the
answer; after that the question stays for a day, and the client can call again. Only you can answer,
here: no client can.

  --vault <folder>    The vault; otherwise OBSIDIAN_VAULT_PATH or VAULT_PATH.
  --all               Also list the questions that are answered.
  --session           Allow what the same client deletes and overwrites for the next ten minutes;
                      otherwise only the one call is allowed, once.
  --reason <text>     Why you deny it; the client gets to read it.
  --undo              Also take back what the client had deleted or overwritten in the ten minutes
                      before it asked. What cannot be restored is listed.
  --json              The whole answer as JSON.
`;

/** `vaultdoor approvals`: the owner answers the questions that clients wait for. */
export const approvalsProgram: Program = { help, run };

const pathCharsMax = 200;
/** The exit code when a change was taken back, but not all of it; as that of `vaultdoor undo`. */
const leftCode = 1;

type Asked<Action> = Extract<ApprovalsOptions, { readonly action: Action }>;

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const options = readApprovalsOptions(argv);
  return withDesk(shell, options, async (at) => {
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
}

async function list(
  shell: Shell,
  { all, json, vault }: Asked<'list'>,
  { desk, tokens }: DeskAtShell,
): Promise<number> {
  const questions = await desk.questions({ open: !all });
  if (json) {
    return printJson(shell, { questions: questions.map((each) => fieldsOf(each, tokens)) });
  }
  if (questions.length === 0) {
    return print(shell, all ? 'There are no questions.\n' : 'No question waits for an answer.\n');
  }
  const [newest] = questions.filter(({ answer }) => answer === undefined);
  return print(
    shell,
    lines([
      ...questions.flatMap((question) => [
        `${question.id}  ${momentText(question.timeMs)}  ${askerText(question.asker, tokens)}`,
        `    ${plain(question.text)}`,
        `    ${plain(question.tool)}, ${filesText(question)}; ${stateText(question)}`,
      ]),
      ...(newest === undefined ? [] : ['', answersHint(newest, vault)]),
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
  const { paths, files } = question;
  return print(
    shell,
    lines([
      `${question.id}  asked ${momentText(question.timeMs)} by ${askerText(question.asker, tokens)}`,
      plain(question.text),
      `${plain(question.tool)} would delete or overwrite ${counted(files, 'file')}:`,
      ...paths.map((path) => `  ${oneLine(path, pathCharsMax)}`),
      ...(files > paths.length ? [`  … and ${files - paths.length} more`] : []),
      stateText(question),
      ...(question.answer === undefined ? ['', answersHint(question, vault)] : []),
    ]),
  );
}

async function allow(
  shell: Shell,
  { id, session, json }: Asked<'allow'>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<number> {
  const { question } = await desk.answer(id, { says: session ? 'session' : 'once' }, owner);
  if (json) return printJson(shell, fieldsOf(question, tokens));
  const minutes = limits.brakeMs / 60_000;
  const more = `, and what ${askerText(question.asker, tokens)} deletes and overwrites in the next ${minutes} minutes`;
  return print(
    shell,
    lines([
      `Allowed ${question.id}${session ? more : ' once'}.`,
      'A call that still waits goes on by itself; otherwise the client has to call again with the same arguments.',
    ]),
  );
}

async function deny(
  shell: Shell,
  { id, reason, undo, json }: Asked<'deny'>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<number> {
  const answer = { says: 'deny', undo, ...(reason === undefined ? {} : { reason }) } as const;
  const answered = await desk.answer(id, answer, owner);
  const { question, undone, undoFailure } = answered;
  if (json) {
    printJson(shell, {
      ...fieldsOf(question, tokens),
      ...(undone === undefined ? {} : { undone }),
      ...(undoFailure === undefined
        ? {}
        : { undoFailure: { code: undoFailure.code, message: undoFailure.message } }),
    });
  } else {
    print(shell, `Denied ${question.id}.\n${undo ? undoText(shell, answered) : ''}`);
  }
  if (undoFailure !== undefined) return exitCodes[undoFailure.code];
  return undone !== undefined && undone.left.length > 0 ? leftCode : 0;
}

function undoText(
  shell: Shell,
  { undone, undoFailure }: Awaited<ReturnType<OwnerDesk['answer']>>,
): string {
  if (undoFailure !== undefined) {
    return `The earlier changes were not taken back: ${plain(undoFailure.message)}\n`;
  }
  if (undone === undefined) return 'There were no earlier changes to take back.\n';
  return changeText(undone, paintFor(shell.stdout, shell.env), undoneNotes(undone));
}

function filesText({ paths, files }: Question): string {
  const [first] = paths;
  if (first === undefined) return counted(files, 'file');
  const more = files > 1 ? ` and ${counted(files - 1, 'more file')}` : '';
  return `${oneLine(first, pathCharsMax)}${more}`;
}

const saysText = { once: 'allowed once', session: 'allowed for the session', deny: 'denied' };

function stateText({ timeMs, answer, used }: Question): string {
  if (answer === undefined) return waitsText(timeMs + limits.questionAgeMaxMs);
  const why = answer.reason === undefined ? '' : `: ${plain(answer.reason)}`;
  return `${saysText[answer.says]}${used ? ', and done' : ''}${why}`;
}

function answersHint({ id }: Question, vault: string | undefined): string {
  return `Answer with ${nextCommand(`approvals allow ${id}`, vault)} or ${nextCommand(`approvals deny ${id}`, vault)}.`;
}

function fieldsOf(question: Question, tokens: DeskAtShell['tokens']): object {
  const { askerKey: _, argsHash: __, asker, ...fields } = question;
  const expiresMs = question.timeMs + limits.questionAgeMaxMs;
  return { ...fields, asker: askerFields(asker, tokens), expiresMs };
}
