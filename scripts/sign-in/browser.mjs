import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed, systemProgram } from '../outside-programs.mjs';

/**
 * Starts Chromium. It takes certificates below `between` for valid ones, as if the owner had installed
 * them: passkeys do not work on a page with a certificate error that was waved through. Names below
 * `.example` mean this machine.
 */
export async function startBrowser({ env, between }) {
  const modules = await installed('playwright-core', '1.64.1');
  const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
  const executablePath = await systemProgram('chromium');
  const key = createPublicKey(readFileSync(between)).export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  return chromium.launch({
    executablePath,
    env,
    args: [
      `--ignore-certificate-errors-spki-list=${pin}`,
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
}
