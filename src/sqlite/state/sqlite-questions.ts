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
import { askerId } from '../rows/asker-id.ts';
import {
  callKey,
  type QuestionRow,
  questionColumns,
  standingOf,
  storedQuestion,
  tooManyQuestions,
} from '../rows/question-row.ts';
import { goneMs } from '../rows/record-ages.ts';
import { recordNumber } from '../rows/record-number.ts';
import { storableText } from '../rows/storable-text.ts';
import { forgetOld, hasOld } from './forget-old.ts';
import type { StateConnection } from './state-connection.ts';

const waiting = 'says IS NULL AND used = 0 AND time > ?';

/** The questions for the owner, in the state file of a vault. */
export class SqliteQuestions implements Questions {
  readonly #state: StateConnection;

  constructor(state: StateConnection) {
    this.#state = state;
  }

  async ask(question: NewQuestion): Promise<Question> {
    const { connection } = this.#state;
    const { timeMs } = question;
    return this.#state.durably(() => {
      forgetOld(connection, 'question', timeMs);
      const kept = this.#kept(question, timeMs);
      if (kept !== undefined) return kept;
      const gone = goneMs('question', timeMs);
      const sql = `SELECT count(*) AS n FROM question WHERE ${waiting}`;
      const open = connection.count(sql, gone);
      const own = connection.count(`${sql} AND asker = ?`, gone, askerId(question.asker));
      if (own >= limits.questionsOfOneMax) throw tooManyQuestions(own);
      if (open >= limits.questionsMax) throw tooManyQuestions(open);
      const columns = questionColumns(question);
      const id = connection.run(
        `INSERT INTO question (${Object.keys(columns).join(', ')}) VALUES (?, ?, ?, ?, ?, ?)`,
        ...Object.values(columns),
      );
      return { ...question, id: `q${id}`, used: false };
    });
  }

  async get(id: QuestionId, nowMs: number): Promise<Question | undefined> {
    return this.#state.attempt(() => this.#get(id, nowMs));
  }

  async list(filter: { readonly open: boolean; readonly nowMs: number }) {
    const { connection } = this.#state;
    const { open, nowMs } = filter;
    if (this.#state.attempt(() => hasOld(connection, 'question', nowMs))) {
      this.#state.lightly(() => forgetOld(connection, 'question', nowMs));
    }
    return this.#state.attempt(() =>
      connection
        .all<QuestionRow>(
          `SELECT * FROM question WHERE ${open ? waiting : 'time > ?'} ORDER BY id DESC`,
          goneMs('question', nowMs),
        )
        .map(storedQuestion),
    );
  }

  async answer(id: QuestionId, answer: QuestionAnswer): Promise<Question | undefined> {
    const { says, reason, timeMs } = answer;
    return this.#state.durably(() => {
      this.#state.connection.run(
        `UPDATE question SET says = ?, reason = ?, answered = ?
         WHERE id = ? AND time > ? AND (used = 0 OR says = 'session' AND ? = 'deny')`,
        says,
        reason === undefined ? null : storableText(reason),
        timeMs,
        recordNumber('q', id),
        goneMs('question', timeMs),
        says,
      );
      return this.#get(id, timeMs);
    });
  }

  async use(id: QuestionId): Promise<boolean> {
    const sql = `UPDATE question SET used = 1
      WHERE id = ? AND used = 0 AND says IN ('once', 'session') RETURNING id`;
    return this.#state.durably(
      () => this.#state.connection.get(sql, recordNumber('q', id)) !== undefined,
    );
  }

  async giveBack(id: QuestionId): Promise<void> {
    const sql = 'UPDATE question SET used = 0 WHERE id = ?';
    this.#state.durably(() => this.#state.connection.run(sql, recordNumber('q', id)));
  }

  async standing(
    { asker, askerKey }: Pick<NewQuestion, 'asker' | 'askerKey'>,
    { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
  ): Promise<Standing> {
    const { connection } = this.#state;
    const who = askerId(asker);
    const gone = goneMs('question', nowMs);
    return this.#state.attempt(() => {
      const answers = connection.get<{ released: number | null; denied: number | null }>(
        `SELECT
           (SELECT max(answered) FROM question
            WHERE asker_key = ? AND says = 'session' AND answered >= ?) AS released,
           (SELECT max(answered) FROM question
            WHERE asker = ? AND says = 'deny' AND answered >= ?) AS denied`,
        storableText(askerKey),
        sinceMs,
        who,
        sinceMs,
      );
      const unused = connection.get<{ kept: number; open: number; late: number | null }>(
        `SELECT
           count(*) FILTER (WHERE time > ?1) AS kept,
           count(*) FILTER (WHERE time > ?1 AND says IS NULL) AS open,
           max(time) FILTER (WHERE time <= ?1 AND says IS NULL) AS late
         FROM question WHERE time >= ?2 AND asker = ?3 AND used = 0`,
        gone,
        goneMs('question', sinceMs),
        who,
      );
      const { released = null, denied = null } = answers ?? {};
      const { kept = 0, open = 0, late = null } = unused ?? {};
      return standingOf({ released, denied, kept, open, late });
    });
  }

  async kept(call: AskedCall, nowMs: number): Promise<Question | undefined> {
    return this.#state.attempt(() => this.#kept(call, nowMs));
  }

  async close(id: QuestionId): Promise<boolean> {
    const sql = `UPDATE question SET used = 1
      WHERE id = ? AND used = 0 AND says IS NOT 'deny' RETURNING id`;
    return this.#state.durably(
      () => this.#state.connection.get(sql, recordNumber('q', id)) !== undefined,
    );
  }

  #kept(call: AskedCall, nowMs: number): Question | undefined {
    // An answered one first: the answer may have come, or been given back, after another was asked.
    const row = this.#state.connection.get<QuestionRow>(
      `SELECT * FROM question WHERE call = ? AND used = 0 AND time > ?
       ORDER BY says IS NULL, id DESC LIMIT 1`,
      callKey(call),
      goneMs('question', nowMs),
    );
    return row === undefined ? undefined : storedQuestion(row);
  }

  #get(id: QuestionId, nowMs: number): Question | undefined {
    const row = this.#state.connection.get<QuestionRow>(
      'SELECT * FROM question WHERE id = ? AND time > ?',
      recordNumber('q', id),
      goneMs('question', nowMs),
    );
    return row === undefined ? undefined : storedQuestion(row);
  }
}
