// `npm start`: builds the program, and then shows it at work on a copy of the example vault.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { serveDemo } from './demo/serve-demo.mjs';

const build = fileURLToPath(new URL('build.mjs', import.meta.url));
process.stderr.write('Building Vaultdoor, which takes a few seconds …\n');
execFileSync(process.execPath, [build], { stdio: 'inherit' });
await serveDemo(process.argv.slice(2));
