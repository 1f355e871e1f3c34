import { VaultError, type VaultErrorCode } from '../../../base/vault-error.ts';
import { notRunningMessage } from '../../../engine/ports/obsidian-app.ts';
import type { ProgramResult } from '../run-program.ts';

/** Lines that older versions of the app print before every answer. */
const banners: readonly RegExp[] = [
  /^[-\d]+ [:\d]+ Loading updated app package\b/,
  /^Checking for updates\b/,
  /^Your Obsidian installer is out of date\b/,
];

const excerptCharsMax = 500;

/** A kind of failure, and the error that it becomes. */
interface Failure {
  /** How the answer begins. The exit code does not help: it is 0 for nearly all failures. */
  readonly says: RegExp;
  readonly code: VaultErrorCode;
  readonly message: string;
  /** Whether the app's own words are shown, because they say more. */
  readonly isShown?: true;
}

/** How the CLI and the app word their failures. The first that matches counts. */
const failures: readonly Failure[] = [
  {
    // "The CLI is unable to find Obsidian. Please make sure Obsidian is running and try again.":
    // the one failure of the CLI itself, on stderr with exit code 1.
    says: /^The CLI is unable to find Obsidian\b/,
    code: 'app_not_running',
    message: notRunningMessage,
  },
  {
    says: /^Command line interface is not enabled\b/,
    code: 'unavailable',
    message:
      'The command line interface of Obsidian is switched off. Turn it on in Obsidian under Settings > General > Advanced > Command line interface.',
  },
  {
    says: /^Vault not found\.\s*$/,
    code: 'vault_not_found',
    message:
      'Obsidian does not know this vault. Open its folder as a vault in Obsidian once, and try again.',
  },
  {
    // The app also answers this to every command while it is starting.
    says: /^Error: Command "[^\n]*" not found\b/,
    code: 'not_found',
    message:
      'Obsidian does not know this command. List the commands for the right id, or try again in a moment if Obsidian has just been started.',
  },
  {
    says: /^Error: File "[^\n]*" not found\b/,
    code: 'not_found',
    message:
      'Obsidian does not find this file. Try again in a moment if it is new, and check that Obsidian shows it.',
  },
  {
    says: /^Error: /,
    code: 'unavailable',
    message: 'Obsidian could not carry out the command.',
    isShown: true,
  },
];

/**
 * The answer of the CLI, without the lines that older versions print first and without the final
 * newline. Fails when the answer is a failure by its words, or is not UTF-8. The app's own words may
 * name notes, so they go into the error's excerpt and not into its message.
 */
export function obsidianAnswer({ exitCode, stdout, stderr }: ProgramResult): string {
  const answer = withoutBanners(decode(stdout));
  // With exit code 0, stderr has only messages of the browser engine inside the app.
  const texts = exitCode === 0 ? [answer] : [answer, withoutBanners(stderr)];
  for (const text of texts) {
    const failure = failures.find(({ says }) => says.test(text));
    if (failure === undefined) continue;
    const { code, message, isShown } = failure;
    throw new VaultError(code, message, isShown ? { excerpt: text.slice(0, excerptCharsMax) } : {});
  }
  if (exitCode === 0) return answer;
  throw new VaultError(
    'unavailable',
    `The Obsidian CLI failed (${exitCode === undefined ? 'it was killed' : `exit code ${exitCode}`}). Check that it works at a shell: obsidian version.`,
    { details: { exitCode } },
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch (cause) {
    throw new VaultError(
      'unavailable',
      'The Obsidian CLI printed something that is not text. Check that OBSIDIAN_CLI, or "obsidian" on PATH, is the CLI of Obsidian.',
      { cause },
    );
  }
}

function withoutBanners(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !banners.some((banner) => banner.test(line)));
  return lines
    .slice(start === -1 ? lines.length : start)
    .join('\n')
    .replace(/\n$/, '');
}
