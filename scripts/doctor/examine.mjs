// What the tests of `vaultdoor doctor` share: running it, looking for a line, and making sure that it
// has changed nothing and that its report has nothing private.
import { closeSync, lstatSync, openSync, readdirSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { check, run } from '../outside-programs.mjs';

/** Runs the program in an environment; `args` are its arguments. */
export function call(e, ...args) {
  const [file, ...words] = e.words(...args);
  return run(file, words, { env: e.env });
}

/** The folder in which the program keeps its files about the vault of an environment. */
export function ownFolder(e, kind) {
  const all = join(e.home, kind === 'state' ? '.local/state' : '.cache', 'vaultdoor');
  const [id] = readdirSync(all).filter((name) => /^[0-9a-f]{16}$/.test(name));
  return join(all, id);
}

/** All files of a home with their times and sizes, to see that nothing was changed. */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => {
      const { size, mtimeMs, mode, ino } = lstatSync(path);
      return [path, size, mtimeMs, mode, ino].join(' ');
    })
    .sort()
    .join('\n');
}

/** What a report must not have, whatever the environment. */
export function secretsOf(e) {
  const names = ['Notes on a drive', 'Swifts', 'claude_desktop_config', 'other-server'];
  return [e.home, e.vault, '/tmp/', hostname(), 'a-secret-of', 'planted', ...names];
}

/**
 * Runs the doctor, and looks for one line: its state, its check and a part of its text. Then runs it
 * again for a report, which must have the same state and nothing private.
 */
export async function examine(what, e, { line: [state, name, text], args = [], port = e.port }) {
  const words = [...args, ...(port === undefined ? [] : ['--port', String(port)])];
  const before = filesOf(e.home);
  const [seen, report] = await Promise.all([
    call(e, 'doctor', '--all', ...words),
    call(e, 'doctor', '--report', ...words),
  ]);
  const row = seen.stdout
    .split(/\n(?=\S)/)
    .find((line) => new RegExp(`^${state} +${name} `).test(line) && text.test(line));
  const code = state === 'BAD' ? 6 : 0;
  const others = seen.stdout.split('\n').filter((line) => /^BAD/.test(line));
  const isAlone = state === 'BAD' || others.length === 0;
  const isRight = row !== undefined && isAlone && seen.code === code && seen.stderr === '';
  check(`${what}: ${row?.split('\n')[0].trim() ?? `${state} ${name}`}`, isRight, seen);
  const told = secretsOf(e).filter((secret) => report.stdout.includes(secret));
  const isReported = report.stdout.includes(`| ${state} | ${name} |`) && report.code === code;
  if (!isReported || told.length > 0) check(`${what}: its report`, false, { told, report });
  if (filesOf(e.home) !== before) check(`${what}: nothing is changed`, false, 'files differ');
  return seen;
}

/** Writes bytes into the middle of a file, as a failing disk or another version would. */
export function overwrite(file, at, bytes) {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}
