import { limits } from '../../base/limits.ts';
import type {
  AskedCall,
  NewQuestion,
  Question,
  QuestionAnswer,
  QuestionId,
  Questions,
  Standing,
} from '../../engine/ports/questions.ts';
import { askerId } from '../../sqlite/rows/asker-id.ts';
import {
  callKey,
  type QuestionRow,
  questionColumns,
  standingOf,
  storedQuestion,
  tooManyQuestions,
} from '../../sqlite/rows/question-row.ts';
import { goneMs } from '../../sqlite/rows/record-ages.ts';
import { recordNumber } from '../../sqlite/rows/record-number.ts';
import { storableOrNull, storableText } from '../../sqlite/rows/storable-text.ts';
import { type Sql, sql } from '../connection/sql.ts';
import type { OwnedVault } from './owned-vault.ts';
import { forgetOld } from './prune-history.ts';

/** The questions for the owner, in PostgreSQL. */
export class PostgresQuestions implements Questions {
  readonly #vault: OwnedVault;

  constructor(vault: OwnedVault) {
    this.#vault = vault;
  }

  async ask(question: NewQuestion): Promise<Question> {
    const { id: vault, postgres } = this.#vault;
    const { timeMs } = question;
    let kept: Question | undefined;
    const rows = await this.#vault.write<{ id: number }>(async () => {
      kept = await this.kept(question, timeMs);
      if (kept !== undefined) return [forgetOld(vault, 'question', timeMs)];
      const counts = await postgres.get<{ own: number; open: number }>(sql`
        SELECT count(*) AS open, count(*) FILTER (WHERE asker = ${askerId(question.asker)}) AS own
        FROM question WHERE vault = ${vault} AND ${waiting(timeMs)}`);
      const { own = 0, open = 0 } = counts ?? {};
      if (own >= limits.questionsOfOneMax) throw tooManyQuestions(own);
      if (open >= limits.questionsMax) throw tooManyQuestions(open);
      const { time, call, asker_key, asker, used, question: text } = questionColumns(question);
      return [
        forgetOld(vault, 'question', timeMs),
        sql`UPDATE vault SET last_question = last_question + 1 WHERE id = ${vault}`,
        sql`INSERT INTO question (vault, id, time, call, asker_key, asker, used, question)
            SELECT id, last_question, ${time}, ${call}, ${asker_key}, ${asker}, ${used}, ${text}
            FROM vault WHERE id = ${vault} RETURNING id`,
      ];
    }, 'durable');
    return kept ?? { ...question, id: `q${rows[0]?.id ?? 0}`, used: false };
  }

  async get(id: QuestionId, nowMs: number): Promise<Question | undefined> {
    const row = await this.#vault.postgres.get<QuestionRow>(sql`
      SELECT * FROM question WHERE vault = ${this.#vault.id} AND id = ${recordNumber('q', id)}
        AND time > ${goneMs('question', nowMs)}`);
    return row === undefined ? undefined : storedQuestion(row);
  }

  async list({ open, nowMs }: { readonly open: boolean; readonly nowMs: number }) {
    const { id: vault, postgres } = this.#vault;
    const shown = open ? waiting(nowMs) : sql`time > ${goneMs('question', nowMs)}`;
    const rows = await postgres.all<QuestionRow>(
      sql`SELECT * FROM question WHERE vault = ${vault} AND ${shown} ORDER BY id DESC`,
    );
    return rows.map(storedQuestion);
  }

  async answer(id: QuestionId, answer: QuestionAnswer): Promise<Question | undefined> {
    const { says, reason, timeMs } = answer;
    await this.#run(sql`
      UPDATE question SET says = ${says}, reason = ${storableOrNull(reason)}, answered = ${timeMs}
      WHERE vault = ${this.#vault.id} AND id = ${recordNumber('q', id)}
        AND time > ${goneMs('question', timeMs)}
        AND (used = 0 OR says = 'session' AND ${says} = 'deny')`);
    return this.get(id, timeMs);
  }

  use(id: QuestionId): Promise<boolean> {
    return this.#run(sql`
      UPDATE question SET used = 1 WHERE vault = ${this.#vault.id} AND id = ${recordNumber('q', id)}
        AND used = 0 AND says IN ('once', 'session') RETURNING id`);
  }

  async giveBack(id: QuestionId): Promise<void> {
    await this.#run(sql`
      UPDATE question SET used = 0 WHERE vault = ${this.#vault.id} AND id = ${recordNumber('q', id)}`);
  }

  async standing(
    { asker, askerKey }: Pick<NewQuestion, 'asker' | 'askerKey'>,
    { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
  ): Promise<Standing> {
    const { id: vault, postgres } = this.#vault;
    const who = askerId(asker);
    const gone = goneMs('question', nowMs);
    const isUnused = sql`asker = ${who} AND used = 0 AND time >= ${goneMs('question', sinceMs)}`;
    const row = await postgres.get<Parameters<typeof standingOf>[0]>(sql`
      SELECT
        max(answered) FILTER (WHERE asker_key = ${storableText(askerKey)} AND says = 'session'
          AND answered >= ${sinceMs}) AS released,
        max(answered) FILTER (WHERE asker = ${who} AND says = 'deny'
          AND answered >= ${sinceMs}) AS denied,
        count(*) FILTER (WHERE ${isUnused} AND time > ${gone}) AS kept,
        count(*) FILTER (WHERE ${isUnused} AND time > ${gone} AND says IS NULL) AS open,
        max(time) FILTER (WHERE ${isUnused} AND time <= ${gone} AND says IS NULL) AS late
      FROM question WHERE vault = ${vault}`);
    return row === undefined ? {} : standingOf(row);
  }

  async kept(call: AskedCall, nowMs: number): Promise<Question | undefined> {
    // An answered one first: the answer may have come, or been given back, after another was asked.
    const row = await this.#vault.postgres.get<QuestionRow>(sql`
      SELECT * FROM question WHERE vault = ${this.#vault.id} AND call = ${callKey(call)}
        AND used = 0 AND time > ${goneMs('question', nowMs)}
      ORDER BY says IS NULL, id DESC LIMIT 1`);
    return row === undefined ? undefined : storedQuestion(row);
  }

  close(id: QuestionId): Promise<boolean> {
    return this.#run(sql`
      UPDATE question SET used = 1 WHERE vault = ${this.#vault.id} AND id = ${recordNumber('q', id)}
        AND used = 0 AND says IS DISTINCT FROM 'deny' RETURNING id`);
  }

  /** Runs an update; answers whether it returned a row. */
  async #run(update: Sql): Promise<boolean> {
    return (await this.#vault.write(async () => [update], 'durable')).length > 0;
  }
}

/** The condition for questions that wait for an answer. */
function waiting(nowMs: number): Sql {
  return sql`says IS NULL AND used = 0 AND time > ${goneMs('question', nowMs)}`;
}
