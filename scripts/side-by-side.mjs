// Runs scripts of this folder at the same time: `node scripts/side-by-side.mjs a.mjs b.mjs`. The
// output of each script is printed when the script has ended. If one of them fails, this script
// fails too.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './outside-programs.mjs';

const timeout = 600_000;

async function runScript(name) {
  const startMs = Date.now();
  const file = fileURLToPath(new URL(name, import.meta.url));
  const { code, stdout, stderr } = await run(process.execPath, [file], { timeout });
  const seconds = Math.round((Date.now() - startMs) / 1000);
  process.stdout.write(`-- ${name}: ${seconds} s\n${stdout}`);
  process.stderr.write(stderr);
  if (code !== 0) process.exitCode = 1;
}

await Promise.all(process.argv.slice(2).map(runScript));
