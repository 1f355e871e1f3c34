// `vaultdoor doctor` through the same Caddy, and through two that swallow a header.
import process from 'node:process';
import { check } from '../outside-programs.mjs';

/** `sites` are the right address, and those whose proxy drops Authorization and WWW-Authenticate. */
export async function tryDoctor({ server, sites }) {
  const [right, noAuthorization, noChallenge] = sites;
  const rows = [
    [right, 0, /^(?!.*BAD)/s],
    [noAuthorization, 6, /^BAD.*Authorization/m],
    [noChallenge, 6, /^BAD.*WWW-Authenticate/m],
  ];
  await Promise.all(
    rows.map(async ([site, code, says]) => {
      const ca = { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS };
      const seen = await server.command(['doctor', '--public-url', site], '', ca);
      const bad = seen.stdout.match(/^BAD.*$/gm) ?? ['nothing is wrong'];
      check(`doctor: ${bad[0]}`, seen.code === code && says.test(seen.stdout), seen);
    }),
  );
}
