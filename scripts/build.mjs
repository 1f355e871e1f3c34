// `npm run build`: the program as one file that can be run, and the daemon as one that can be copied
// to another machine.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, bundleDaemon } from './bundle.mjs';

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

mkdirSync(dist(''), { recursive: true });
await Promise.all([
  bundle({ outfile: dist('vaultdoor.js') }),
  bundleDaemon({ outfile: dist('vaultdoor-daemon.js') }),
]);
