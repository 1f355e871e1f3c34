import type { SignInRefusal } from './owner-sign-in.ts';

const busySeconds = 5;

/** What people read who are not let in. */
export const refusals = {
  wrong: { refused: 'wrong', message: 'That passphrase is not right.' },
  wrongCode: {
    refused: 'wrong',
    message:
      'That set-up code is not right. If the server was started again since, the code that it printed last is the right one.',
  },
  noCode: {
    refused: 'no-code',
    message:
      'There is no set-up code that holds now. "vaultdoor owner code" on the server makes a new one.',
  },
  busy: {
    refused: 'busy',
    message: 'Too many are signing in at this moment. Try again in a few seconds.',
    waitSeconds: busySeconds,
  },
  stale: {
    refused: 'stale',
    message: 'For this you must have signed in within the last ten minutes. Sign in again.',
  },
} as const satisfies Readonly<Record<string, SignInRefusal>>;

/** What people read after too many wrong passphrases. */
export function slowRefusal(waitMs: number): SignInRefusal {
  const waitSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(waitSeconds / 60);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const message = `There were too many wrong passphrases. Try again in ${wait}.`;
  return { refused: 'slow', message, waitSeconds };
}
