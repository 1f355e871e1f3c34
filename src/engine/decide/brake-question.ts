import { limits } from '../../base/limits.ts';

/** What the brake asks about, and why. */
interface Braked {
  /** How many files the call would delete or overwrite. */
  readonly destroys: number;
  /** How many the app has deleted or overwritten in the window of the brake before it asked. */
  readonly destroyed: number;
  /** Whether an earlier question of the app waits for an answer. */
  readonly waits: boolean;
  /** Whether the owner had denied the app something in the window of the brake before it asked. */
  readonly denied: boolean;
  /** Set when the owner has allowed this call, but its files have changed since. */
  readonly wasAllowed?: boolean;
}

/** The question of the brake as sentences for the owner: what is asked, and why. */
export function brakeQuestion(braked: Braked): string {
  const { destroys, destroyed, waits, denied, wasAllowed = false } = braked;
  const minutes = `${limits.brakeMs / 60_000} minutes`;
  const reasons = [
    ...(destroyed === 0
      ? []
      : [`It had already done that to ${files(destroyed)} in the ${minutes} before.`]),
    ...(waits ? ['An earlier question of it still waits for your answer.'] : []),
    ...(denied ? [`You had denied something to it in the ${minutes} before.`] : []),
    ...(wasAllowed
      ? [`You have allowed this call before, but ${what(destroys)} changed since then.`]
      : []),
  ];
  return [`May this app delete or overwrite ${files(destroys)}?`, ...reasons].join(' ');
}

function files(count: number): string {
  if (count === Number.POSITIVE_INFINITY) return 'very many files';
  return count === 1 ? 'a file' : `${count} files`;
}

function what(count: number): string {
  return count === 1 ? 'the file has' : 'files have';
}
