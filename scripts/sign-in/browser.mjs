import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startChromium } from '../look-at-page.mjs';

/**
 * Starts Chromium. It takes certificates below `between` for valid ones, as if the owner had installed
 * them: passkeys do not work on a page with a certificate error that was waved through. Names below
 * `.example` mean this machine.
 */
export function startBrowser(between) {
  const key = createPublicKey(readFileSync(between)).export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  return startChromium([
    `--ignore-certificate-errors-spki-list=${pin}`,
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update'],
  ]);
}
