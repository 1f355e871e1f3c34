// `npm run build`: the program as one file that can be run.
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const outfile = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));
await bundle({ outfile });
chmodSync(outfile, 0o755);
