import type { Door } from '../../base/caller.ts';
import type { VaultPath } from '../../base/vault-path.ts';

/** The name of a question, such as `q7`. */
export type QuestionId = `q${number}`;

/** Who asks: the fields of the caller that say who it is. */
export interface Asker {
  readonly door: Door;
  readonly client?: string;
  readonly connection?: string;
  /** The id of the token, never the token itself. */
  readonly token?: string;
}

/** A question before it has a name. Of the text of notes it has only `diff`. */
export interface NewQuestion {
  /** The rule that asks. */
  readonly about: 'brake';
  /** The question as one sentence for the owner, in our own words. */
  readonly text: string;
  readonly asker: Asker;
  /**
   * Whom an answer for the session is for: the token, else the connection, else door and client;
   * see `askerKey`.
   */
  readonly askerKey: string;
  readonly tool: string;
  /**
   * The SHA-256 of all arguments, and of the path and version of each file that would be destroyed:
   * an answer is for a call with exactly these.
   */
  readonly argsHash: string;
  /** Some of the files that the call would touch, and how many there are. */
  readonly paths: readonly VaultPath[];
  readonly files: number;
  /**
   * The version of each of `paths`, or its stamp, when the question was asked: as long as a file has
   * it, an answer holds. Absent if not known.
   */
  readonly contents?: Readonly<Record<string, string>>;
  /** Why it is asked, besides what was counted; absent if not known. */
  readonly denied?: true;
  /** Those of `paths` that would be overwritten; the others would be deleted. Absent if not known. */
  readonly overwrites?: readonly VaultPath[];
  /** What would be written over them, as a unified diff; absent where it is not known or too long. */
  readonly diff?: string;
  readonly timeMs: number;
}

/** What the owner can say. `session` also allows what the same asker does within ten minutes. */
export interface QuestionAnswer {
  readonly says: 'once' | 'session' | 'deny';
  /** Why, in the owner's words; the asker gets to read it. */
  readonly reason?: string;
  readonly timeMs: number;
}

/** A question as it is kept. */
export interface Question extends NewQuestion {
  readonly id: QuestionId;
  /** Absent as long as the owner has not answered. */
  readonly answer?: QuestionAnswer;
  /**
   * Whether the call has been made. Then the question is closed: a permission holds for one call, and
   * without an answer the call was allowed otherwise, by a permission for the session.
   */
  readonly used: boolean;
}

/** What an asker's questions have come to. */
export interface Standing {
  /** When it last got a permission for the session. */
  readonly releasedMs?: number;
  /** When it was last denied something, or a question of it was gone without an answer. */
  readonly deniedMs?: number;
  /** Whether a question of it waits for an answer. */
  readonly waits?: true;
  /** Whether a question of it is kept, with an answer or without, whose call has not been made. */
  readonly keeps?: true;
}

/** What makes a call the same one, when it is made again; see `Questions.ask`. */
export type AskedCall = Pick<NewQuestion, 'asker' | 'tool' | 'argsHash'>;

/**
 * What waits for the owner's answer, shared by all processes on the vault. A question is gone
 * `limits.questionAgeMaxMs` after it was asked; without an answer, that counts as a denial at this
 * time. Calls may be made without the commit lock.
 */
export interface Questions {
  /**
   * Adds a question. When one with the same asker, tool and arguments is kept that no call has used
   * yet, answers that one. The asker is the same when token and client are, or, without a token,
   * door and client. Fails with `busy` when `limits.questionsMax` wait for an answer.
   */
  ask(question: NewQuestion): Promise<Question>;
  get(id: QuestionId, nowMs: number): Promise<Question | undefined>;
  /** The newest first: those that wait for an answer, or all. */
  list(filter: { readonly open: boolean; readonly nowMs: number }): Promise<readonly Question[]>;
  /**
   * Answers a question. A later answer replaces an earlier one, unless a call has used that; only a
   * denial also replaces a permission for the session that a call has used. Answers the question as
   * it then is; undefined when there is none.
   */
  answer(id: QuestionId, answer: QuestionAnswer): Promise<Question | undefined>;
  /** Uses up a permission. Answers whether it was there: only one of several calls gets it. */
  use(id: QuestionId): Promise<boolean>;
  /** Takes that back: the call that used the permission has changed nothing. */
  giveBack(id: QuestionId): Promise<void>;
  /**
   * What the owner has answered since a time, and what waits. A permission for the session is for the
   * `askerKey`. The rest is for the asker's token, or, without one, for its door and client, so that
   * a new connection does not end it.
   */
  standing(
    asker: Pick<NewQuestion, 'asker' | 'askerKey'>,
    span: { readonly sinceMs: number; readonly nowMs: number },
  ): Promise<Standing>;
  /** The question that `ask` would answer again for such a call; undefined when it would add one. */
  kept(call: AskedCall, nowMs: number): Promise<Question | undefined>;
  /**
   * Closes a question whose call is made because it is allowed otherwise. Answers whether it did: not
   * when the question is denied or closed already. `giveBack` takes it back.
   */
  close(id: QuestionId): Promise<boolean>;
}

/** Something that waits for the owner. Never has text of notes or their names. */
export interface WaitingMatter {
  readonly kind: 'question' | 'proposal';
  /** The client that waits, as it names itself. */
  readonly client?: string;
}

/** Tells the owner, outside of the program, that something waits for them. */
export interface OwnerNotice {
  /** Returns at once. Several matters are told together, at most once a minute. */
  waits(matter: WaitingMatter): void;
}
