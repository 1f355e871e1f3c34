import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program to its end, with `input` on its stdin. Never rejects. */
export function run(file, args, { input = '', ...options } = {}) {
  return new Promise((resolve) => {
    const all = { maxBuffer: 1 << 26, timeout: 120_000, ...options };
    const { stdin } = execFile(file, args, all, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? -1), stdout, stderr });
    });
    stdin.on('error', () => undefined); // It may have left without reading.
    stdin.end(input);
  });
}

/** Says whether something holds; where it does not, what was seen, and the process fails. */
export function check(what, holds, seen) {
  if (holds) {
    process.stdout.write(`ok  ${what}\n`);
    return;
  }
  process.stdout.write(`BAD ${what}\n${JSON.stringify(seen, null, 2)}\n`);
  process.exitCode = 1;
}

/**
 * The `node_modules` with a package that is no dependency, since it is large: it is installed
 * beside the other caches, unless it is there.
 */
export async function installed(name, version) {
  const last = name.split('/').at(-1);
  const folder = join(repository, 'node_modules', '.cache', `${last}-${version}`);
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, name))) return modules;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--no-save', '--no-package-lock', '--no-fund', '--no-audit'];
  // Our own strictness, which `npm run` hands on, is not for them: the Inspector asks for a newer
  // Node than its command line needs.
  const lenient = ['--no-engine-strict', '--prefix', folder];
  const answer = await run('npm', [...args, ...lenient, `${name}@${version}`]);
  if (answer.code === 0) return modules;
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`${name}@${version} could not be installed:\n${answer.stderr}`);
}
