import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { repository, startProgram, systemProgram, until } from '../outside-programs.mjs';

/** Ports that nobody listens on. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((done) => server.once('listening', done))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/**
 * Starts Caddy with a certificate of its own and, for each site, the block of deploy/Caddyfile.
 * `swallow` is a line for the `reverse_proxy` of a site that is set up wrongly. A site with `below` has
 * blocks of its own, as docs/server.md says for an address with a path: `strip` or `keep` the path.
 * Returns the paths of the root certificate and of the one between it and those of the sites.
 */
export async function startCaddy({ home, env, sites }) {
  await systemProgram('caddy');
  const shipped = readFileSync(join(repository, 'deploy', 'Caddyfile'), 'utf8');
  const blocks = sites.map(({ site, port, swallow, below }) => {
    if (below !== undefined) return blockBelow({ site, port, below });
    return shipped
      .replace(/^vault\.example\.com /m, `${site} `)
      .replaceAll('127.0.0.1:1065', `127.0.0.1:${port}`)
      .replaceAll('flush_interval -1', (line) => (swallow ? `${line}\n\t\t\t${swallow}` : line));
  });
  const options = [
    'admin off',
    'auto_https disable_redirects',
    'local_certs',
    'skip_install_trust',
  ];
  const file = join(home, 'Caddyfile');
  writeFileSync(file, `{\n\t${options.join('\n\t')}\n}\n${blocks.join('\n')}`);
  const words = ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
  const caddy = startProgram(words, { ...env, XDG_DATA_HOME: join(home, 'caddy') });
  const authority = join(home, 'caddy', 'caddy', 'pki', 'authorities', 'local');
  const [root, between] = [join(authority, 'root.crt'), join(authority, 'intermediate.crt')];
  await until(
    () => existsSync(root) && caddy.seen.stderr.includes('serving initial configuration'),
    () => caddy.seen.stderr,
  );
  return { ...caddy, root, between };
}

/** A site whose server is below /notes, and whose documents are at the root. */
function blockBelow({ site, port, below }) {
  const proxy = `reverse_proxy 127.0.0.1:${port} {\n\t\t\tflush_interval -1\n\t\t}`;
  const documents = ['oauth-protected-resource/notes/mcp', 'oauth-authorization-server/notes'];
  const rest = below === 'strip' ? 'handle_path /notes/*' : 'handle /notes/*';
  return `${new URL(site).origin} {
\t@documents path ${documents.map((name) => `/.well-known/${name}`).join(' ')}
\thandle @documents {\n\t\t${proxy}\n\t}
\t${rest} {\n\t\t${proxy}\n\t}
\thandle {\n\t\trespond 404\n\t}
}
`;
}
