// `npm run build`: the program as one file that can be run, and the daemon as one that can be copied
// to another machine. Beside them, what V8 makes of the program under this Node (`launch.cjs`).
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, bundleDaemon } from './bundle.mjs';
import { warmUp } from './launch/warm-up.mjs';

const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));

mkdirSync(dist(''), { recursive: true });
// The files here are CommonJS, which starts sooner; the package around them says otherwise.
writeFileSync(dist('package.json'), '{ "type": "commonjs" }\n');
const [id] = await Promise.all([
  bundle({ outfile: dist('vaultdoor.js') }),
  bundleDaemon({ outfile: dist('vaultdoor-daemon.js') }),
]);
await warmUp({ program: dist('vaultdoor.js'), id, folder: dist('code-cache') });
