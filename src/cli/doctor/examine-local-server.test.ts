import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { serviceFiles, withSettings } from '../setup/service-files.ts';
import { examineLocalServer } from './examine-local-server.ts';

const shell = { signal: new AbortController().signal, version: '1.0.0', env: { PATH: '' } };

/** A home folder in which `setup --server` has made a server for this port. */
function homeWith(port: number) {
  const home = tempFolder({ 'Notes/a.md': '' });
  const place = { platform: 'linux', env: {}, home } as const;
  const { env } = serviceFiles(place);
  mkdirSync(dirname(env), { recursive: true });
  const settings = { VAULT_PATH: `${home}/Notes`, HOST: '127.0.0.1', PORT: String(port) };
  writeFileSync(env, withSettings('', { settings }));
  return place;
}

/** A port at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

it('a server that setup has made and that does not run is bad, with the line that starts it', async () => {
  const port = await freePort();
  const place = homeWith(port);
  const [found] = await examineLocalServer(shell, { given: undefined, place }, []);
  expect(found?.state).toBe('bad');
  expect(found?.says.shown).toContain(`Nothing runs at port ${port}`);
  expect(found?.change?.shown).toContain(
    `serve --tools notes --host 127.0.0.1 --port ${port} --log-reads --vault`,
  );
  expect(found?.change?.reported).not.toContain('Notes');
});

it('nothing is wrong with a port at which nobody has set up a server', async () => {
  const port = await freePort();
  const place = homeWith(await freePort());
  const [found] = await examineLocalServer(shell, { given: port, place }, []);
  expect(found?.state).toBe('ok');
});
