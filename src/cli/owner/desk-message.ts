import type { Caller } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { failureOf, wireFailure } from '../../cluster/wire/call-message.ts';
import { checkAllowed } from '../../engine/decide/decide.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { OwnerDesk } from '../../tools/owner/owner-desk.ts';
import { proposalToolset } from '../options/server-toolsets.ts';

/** What the owner can ask of a vault that another machine serves: the methods of `OwnerDesk`. */
const deskMethods = [
  'questions',
  'question',
  'answer',
  'earlierChanges',
  'proposals',
  'look',
  'accept',
  'refuse',
] as const;

/** The desk of a vault, here or at another machine. */
export type Desk = Pick<OwnerDesk, (typeof deskMethods)[number]>;

/** The desk of a vault, and the number of its newest change. */
export interface ConsoleDesk {
  readonly desk: Desk;
  latest(): Promise<number>;
}

/** The desk of a vault that this process has. */
export function deskHere(source: VaultSource): ConsoleDesk {
  return {
    desk: new OwnerDesk({ source, timers: nodeTimers, toolset: proposalToolset }),
    latest: async () => (await source.open()).parts.state.latest(),
  };
}

/** Asks the owner's desk of a vault at another machine, as `answerDesk` understands it. */
type AskDesk = (args: readonly unknown[], owner?: Caller) => Promise<unknown>;

/**
 * Answers what the owner asks of a vault of this machine from another one, which has shown that it has the
 * secret of the cluster. Fails with `forbidden` where something would be allowed, made or taken back on a
 * machine that only reads.
 */
export async function answerDesk(
  source: VaultSource,
  args: readonly unknown[],
  owner: Caller,
): Promise<unknown> {
  const { desk, latest } = deskHere(source);
  const [method, first, second] = args;
  if (method === 'latest') return latest();
  switch (deskMethods.find((each) => each === method)) {
    case 'questions':
      return desk.questions(first as Parameters<Desk['questions']>[0]);
    case 'question':
      return desk.question(first as string);
    case 'answer': {
      const answer = second as Parameters<Desk['answer']>[1];
      if (answer.says !== 'deny' || answer.undo) checkAllowed(owner, { effect: 'write' });
      return withFailures(await desk.answer(first as string, answer, owner));
    }
    case 'earlierChanges':
      return desk.earlierChanges(first as Parameters<Desk['earlierChanges']>[0]);
    case 'proposals':
      return desk.proposals(first as Parameters<Desk['proposals']>[0]);
    case 'look':
      return desk.look(first as string, owner);
    case 'accept':
      checkAllowed(owner, { effect: 'write' });
      return withFailures(await desk.accept(first as string[], owner));
    case 'refuse':
      return withFailures(
        await desk.refuse(first as string[], second as { readonly reason?: string }, owner),
      );
    default:
      throw new VaultError('invalid_input', 'The other machine asks for something unknown.');
  }
}

/** The desk of a vault that another machine serves. */
export function deskElsewhere(ask: AskDesk): Desk {
  // The other machine answers what its desk does.
  const asked = async <T>(args: readonly unknown[], owner?: Caller): Promise<T> =>
    withErrors(await ask(args, owner)) as T;
  return {
    questions: (wanted) => asked(['questions', wanted]),
    question: (id) => asked(['question', id]),
    answer: (id, answer, owner) => asked(['answer', id, answer], owner),
    earlierChanges: (question) => asked(['earlierChanges', question]),
    proposals: (wanted) => asked(['proposals', wanted]),
    look: (name, owner) => asked(['look', name], owner),
    accept: (names, owner) => asked(['accept', names], owner),
    refuse: (names, why, owner) => asked(['refuse', names, why], owner),
  };
}

/** The fields of an answer that may be errors. */
const errorFields: readonly string[] = ['error', 'rest', 'undoFailure'];

/** An answer whose errors JSON can hold. */
function withFailures(answer: unknown): unknown {
  return mapFields(answer, (value) => (value instanceof VaultError ? wireFailure(value) : value));
}

function withErrors(answer: unknown): unknown {
  return mapFields(answer, (value) => failureOf(value as ReturnType<typeof wireFailure>));
}

function mapFields(answer: unknown, map: (value: unknown) => unknown): unknown {
  if (Array.isArray(answer)) return answer.map((each) => mapFields(each, map));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      errorFields.includes(key) && value !== undefined ? map(value) : value,
    ]),
  );
}
