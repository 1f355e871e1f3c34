import { assert } from '../../base/assert.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type {
  AskedCall,
  NewQuestion,
  Question,
  QuestionAnswer,
  Standing,
} from '../../engine/ports/questions.ts';
import { askerId } from './asker-id.ts';
import { storableText } from './storable-text.ts';

/** A row of the table `question`; see `stateSchemas`. */
export interface QuestionRow {
  readonly id: number;
  readonly says: QuestionAnswer['says'] | null;
  readonly reason: string | null;
  readonly answered: number | null;
  readonly used: number;
  readonly question: string;
}

/** What is stored of a new question in its row. */
export function questionColumns(question: NewQuestion) {
  return {
    time: question.timeMs,
    call: callKey(question),
    asker_key: storableText(question.askerKey),
    asker: askerId(question.asker),
    used: 0,
    question: JSON.stringify(question),
  };
}

export function storedQuestion(row: QuestionRow): Question {
  const { says, reason, answered, used } = row;
  const question = { ...(JSON.parse(row.question) as NewQuestion), id: `q${row.id}` as const };
  if (says === null) return { ...question, used: used === 1 };
  assert(answered !== null, 'an answer has a time');
  const answer = { says, ...(reason === null ? {} : { reason }), timeMs: answered };
  return { ...question, answer, used: used === 1 };
}

/** The same for a call that is repeated; see `Questions.ask`. */
export function callKey({ asker, tool, argsHash }: AskedCall): string {
  const { token, door, client } = asker;
  const who = token === undefined ? [door, client ?? null] : [null, client ?? null, token];
  return JSON.stringify([...who, tool, argsHash]);
}

export function tooManyQuestions(count: number): VaultError {
  return new VaultError(
    'busy',
    `${count} questions already wait for the owner of the vault, so no more can be asked; nothing was done. Try again when the owner has answered some.`,
    { details: { retryAfterMs: limits.brakeMs } },
  );
}

/** What the answers and the unused questions of an asker have come to. */
export function standingOf({
  released,
  denied,
  kept,
  open,
  late,
}: {
  readonly released: number | null;
  readonly denied: number | null;
  readonly kept: number;
  readonly open: number;
  readonly late: number | null;
}): Standing {
  // A question that is gone without an answer does not end a permission.
  const lateMs = late === null || released !== null ? 0 : late + limits.questionAgeMaxMs;
  const deniedMs = Math.max(denied ?? 0, lateMs);
  return {
    ...(released === null ? {} : { releasedMs: released }),
    ...(deniedMs === 0 ? {} : { deniedMs }),
    ...(open === 0 ? {} : { waits: true }),
    ...(kept === 0 ? {} : { keeps: true }),
  };
}
