// Tests signing in with programs that nobody here wrote, against the built server behind Caddy with
// deploy/Caddyfile and a certificate of its own: four clients of MCP and OAuth, the conformance suite,
// and Chromium for what the owner does. scripts/sign-in has one file for each test.
//
// SIGN_IN_PICTURES=<folder> says where pictures of the pages are kept, ONLY=SDK,Inspector chooses
// among the clients, and SOAK=1 makes the longest test longer.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { temporaryHome } from './outside-programs.mjs';
import { freePorts, startCaddy } from './sign-in/caddy.mjs';
import { installPackages } from './sign-in/packages.mjs';

await installPackages();
const { home, env } = temporaryHome('sign-in');
const [port, otherPort, ...sitePorts] = await freePorts(8);
const site = (i, path = '') => `https://localhost:${sitePorts[i]}${path}`;
const sites = [
  { site: site(0), port },
  { site: site(1), port: otherPort },
  // Two that are set up wrongly, for `vaultdoor doctor`.
  { site: site(2), port, swallow: 'header_up -Authorization' },
  { site: site(3), port, swallow: 'header_down -WWW-Authenticate' },
  { site: site(4, '/notes'), port, below: 'strip' },
  { site: site(5, '/notes'), port, below: 'keep' },
];
const caddy = await startCaddy({ home, env, sites });
const flows = fileURLToPath(new URL('sign-in/flows.mjs', import.meta.url));
const tests = spawn(process.execPath, [flows], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caddy.root,
    SIGN_IN_SITES: JSON.stringify({ sites, home, between: caddy.between }),
  },
});
process.exitCode = await new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
await caddy.stop();
