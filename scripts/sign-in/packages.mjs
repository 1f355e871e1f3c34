import { installed, newerNode } from '../outside-programs.mjs';

const versions = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  'axe-core': '4.14.0',
  'mcp-remote': '0.15.1',
  oauth4webapi: '3.8.8',
  'playwright-core': '1.64.1',
};

/** The folder `node_modules` with a program that the tests of signing in run. */
export function packageOf(name) {
  return installed(name, versions[name]);
}

/**
 * Installs all of them. This must be done by a process without our NODE_EXTRA_CA_CERTS: npm would
 * trust Caddy's certificate in place of those that it needs to reach its registry.
 */
export async function installPackages() {
  for (const name of Object.keys(versions)) await packageOf(name);
  await newerNode();
}
