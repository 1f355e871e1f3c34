// Runs programs in a real terminal: a tmux server of its own, with a fixed size and no settings of
// the user. Scripts type keys into it and read what a person would see on the screen.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run, systemProgram, until } from './outside-programs.mjs';

/** Every tmux server that was started here, so that none is left when this process ends. */
const open = new Map();
process.on('exit', () => {
  for (const [folder, pid] of open) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The server has ended on its own.
    }
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Starts a program in a terminal. `words` is the program with its arguments, `env` its whole
 * environment; `TERM` is added. The terminal stays open when the program has ended, so that the last
 * screen can be read.
 *
 * - `type(text)` types text as it is; `press(...keys)` presses keys by tmux's names: `Enter`, `C-c`,
 *   `Up`. `answer(text)` types a line and presses Enter.
 * - `screen()` is what the screen shows now, without trailing spaces; lines that the program wrote
 *   are joined again where the terminal wrapped them. `history()` has the lines above it, too;
 *   `coloured()` has the same with the escape sequences of colours.
 * - `shows(what, seconds)` waits until the history shows a text or fits a regular expression, and
 *   returns the history. It fails after ten seconds, or `seconds`, with the screen in the message.
 * - `ended(seconds)` waits until the program has ended, and returns its exit code, or 128 plus the
 *   number of the signal that ended it.
 * - `close()` ends the program and the terminal.
 */
export async function openTerminal(words, { env, cwd = tmpdir(), columns = 110, rows = 50 } = {}) {
  const tmux = await systemProgram('tmux');
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-tmux-'));
  // tmux gives the program the environment in which its server was started.
  const own = { TERM: 'screen-256color', LANG: 'C.UTF-8', ...env };
  const call = async (...args) => {
    const answer = await run(tmux, ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      env: own,
    });
    if (answer.code === 0) return answer.stdout;
    throw new Error(`tmux ${args[0]} failed: ${answer.stderr}`);
  };
  const size = ['-x', String(columns), '-y', String(rows)];
  const codeFile = join(folder, 'code');
  const program = ['/bin/sh', '-c', runAndKeepCode, codeFile, ...words];
  // The options come first, so that a program that ends at once leaves its screen, too.
  await call(
    ...['start-server', ';', 'set-option', '-g', 'remain-on-exit', 'on', ';'],
    ...['set-option', '-g', 'remain-on-exit-format', '', ';'],
    ...['set-option', '-g', 'history-limit', '20000', ';'],
    ...['set-option', '-g', 'status', 'off', ';'],
    ...['new-session', '-d', '-s', 'main', ...size, '-c', cwd, '--', ...program.map(escaped)],
  );
  open.set(folder, Number(await call('display-message', '-p', '#{pid}')));

  const captured = async (...args) =>
    (await call('capture-pane', '-p', '-J', ...args))
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  const screen = () => captured();
  const history = () => captured('-S', '-');
  const coloured = () => captured('-e', '-S', '-');
  const type = (text) => call('send-keys', '-l', '--', escaped(text));
  const press = (...keys) => call('send-keys', '--', ...keys);
  const shows = async (what, seconds) => {
    let seen = '';
    const holds = (text) => (typeof what === 'string' ? text.includes(what) : what.test(text));
    await until(
      async () => {
        seen = await history();
        return holds(seen);
      },
      () => `${seen}\n-- the terminal should show: ${what}`,
      seconds,
    );
    return seen;
  };
  const ended = async (seconds) => {
    let seen = '';
    const codeNow = () => (existsSync(codeFile) ? readFileSync(codeFile, 'utf8') : '');
    await until(
      async () => {
        seen = await history();
        return codeNow().endsWith('\n');
      },
      () => `${seen}\n-- the program should end`,
      seconds,
    );
    return Number(codeNow());
  };
  const close = async () => {
    await call('kill-server').catch(() => undefined);
    open.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    type,
    press,
    answer: async (text) => {
      if (text !== '') await type(text);
      await press('Enter');
    },
    screen,
    history,
    coloured,
    shows,
    ended,
    close,
  };
}

/**
 * Runs the program and keeps its exit code, which tmux sometimes loses. The shell stays when Ctrl-C
 * ends the program.
 */
const runAndKeepCode = 'trap : INT; "$@"; echo $? >"$0"';

/** tmux takes a semicolon at the end of an argument for the end of its command. */
function escaped(word) {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}
