import type { VaultErrorCode } from '../../base/vault-error.ts';
import { VaultError } from '../../base/vault-error.ts';

/** Whether a tool has added advice to a failure already. */
export function isAdvised({ message, cause }: VaultError): boolean {
  return cause instanceof VaultError && message.startsWith(cause.message);
}

/** A sentence, or a function that makes it from the failure; undefined when there is no advice. */
type AdviceText = string | ((failure: VaultError) => string | undefined);

/**
 * What a caller can do about failures, by their codes, as sentences that name tools of the same
 * toolset.
 */
export type Advice = Partial<Readonly<Record<VaultErrorCode, AdviceText>>>;

/**
 * Returns a failure with the advice for its code added to its message; without such advice, and for
 * other errors, returns it as it is.
 */
export function advised(failure: unknown, advice: Advice): unknown {
  if (!(failure instanceof VaultError)) return failure;
  const given = advice[failure.code];
  const more = typeof given === 'function' ? given(failure) : given;
  return more === undefined ? failure : withSentence(failure, more);
}

/** A failure whose message has one more sentence. */
export function withSentence(failure: VaultError, more: string): VaultError {
  const { code, message, details, excerpt } = failure;
  return new VaultError(code, `${message} ${more}`, {
    cause: failure,
    details,
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}

/**
 * Runs an operation that reads, and adds advice to its failure. Changes go through `changeNote`.
 */
export async function withAdvice<T>(advice: Advice, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    throw advised(failure, advice);
  }
}

/** Advice on properties that are not valid YAML, which no tool of the toolset can mend. */
export const brokenProperties: AdviceText = ({ details }) =>
  'line' in details ? 'No tool does that: ask the user to.' : undefined;

/** Advice on several headings of one name: another way to reach one of them. */
export function severalHeadings(advice: string): AdviceText {
  return ({ details }) => ('section' in details ? advice : undefined);
}

/** Advice on a text that stands in several places of a note. */
export function severalPlaces(advice: string): AdviceText {
  return ({ details }) => ('lines' in details ? advice : undefined);
}
