// Tests signing in with programs that nobody here wrote.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { temporaryHome } from './outside-programs.mjs';
import { freePorts, startCaddy } from './sign-in/caddy.mjs';

const { home, env } = temporaryHome('sign-in');
const ports = await freePorts(6);
const site = (i, port, swallow) => ({ site: `https://localhost:${ports[i]}`, port, swallow });
const sites = [
  site(0, ports[4]),
  site(1, ports[5]),
  site(2, ports[4], 'header_up -Authorization'),
  site(3, ports[4], 'header_down -WWW-Authenticate'),
];
const caddy = await startCaddy({ home, env, sites });
const flows = fileURLToPath(new URL('sign-in/flows.mjs', import.meta.url));
const child = spawn(process.execPath, [flows], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caddy.root,
    SIGN_IN_SITES: JSON.stringify({ sites, home, between: caddy.between }),
  },
});
process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
await caddy.stop();
