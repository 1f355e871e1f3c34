import type { VaultErrorCode } from '../../base/vault-error.ts';
import { VaultError } from '../../base/vault-error.ts';

/** What to do about a failure; nothing where it is not about that. */
type Advice = string | ((failure: VaultError) => string | undefined);

/** Runs, and adds to a failure what to do about it with the tools of this toolset. */
export async function withAdvice<T>(
  advice: Partial<Readonly<Record<VaultErrorCode, Advice>>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    const given = advice[error.code];
    const more = typeof given === 'function' ? given(error) : given;
    if (more === undefined) throw error;
    const { code, message, details, excerpt } = error;
    throw new VaultError(code, `${message} ${more}`, {
      cause: error,
      details,
      ...(excerpt === undefined ? {} : { excerpt }),
    });
  }
}

/** What no tool of this toolset can mend: a block of properties that is not valid YAML. */
export const brokenProperties: Advice = ({ details }) =>
  'line' in details ? 'No tool does that: ask the user to.' : undefined;

/** For several headings of one name, which need not be renamed to reach one of them. */
export function instead(other: string): Advice {
  return ({ details }) => ('section' in details ? other : undefined);
}
