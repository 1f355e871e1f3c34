import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { freePort } from '../support/bridge-client.ts';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { connectSignedIn, SdkSignIn } from '../support/sdk-sign-in.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { passphrase, startOwnedServer } from './support/owned-server.ts';

describe('a client of the SDK', () => {
  it('signs in, works, is renewed, is allowed more, and ends when its connection is revoked', async () => {
    const { base, program, browser, cli } = await startOwnedServer();
    const provider = new SdkSignIn();
    const { client, transport } = await connectSignedIn(`${base}/mcp`, provider, (url) =>
      browser.decide(url, { rights: 'read' }),
    );
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('read_note');
    expect(names).not.toContain('append_note');
    expect(provider.kept.tokens).toMatchObject({ token_type: 'Bearer', scope: 'vault:read' });
    const session = transport.sessionId;

    // The access token is forgotten: the client renews it and goes on in the same session.
    const before = provider.kept.tokens?.access_token;
    if (provider.kept.tokens)
      provider.kept.tokens = { ...provider.kept.tokens, access_token: 'vda_x' };
    const read = await client.callTool({ name: 'read_note', arguments: { name: 'A' } });
    expect(JSON.stringify(read.content)).toContain('text of A');
    expect(provider.kept.tokens?.access_token).not.toBe(before);
    expect(transport.sessionId).toBe(session);

    // A tool that it may not use makes it ask for more; the owner changes the connection.
    const append = { name: 'append_note', arguments: { name: 'A', text: 'more' } };
    await expect(client.callTool(append)).rejects.toThrow();
    const [{ id }] = JSON.parse(await cli('connections', 'list', '--json')).connections;
    const back = await browser.decide(provider.sentTo.at(-1)?.href ?? '', {
      rights: 'change',
      grant: id,
    });
    await transport.finishAuth(back.searchParams);
    const appended = await client.callTool(append);
    expect(appended.isError, JSON.stringify(appended.content)).toBeFalsy();
    expect(transport.sessionId).toBe(session);
    expect(await cli('history')).toContain('trial, signed in as Trial client  ');
    expect(await cli('show', '1')).toContain(`connection ${id} of "Trial client"`);
    expect(await cli('connections', 'list')).toMatch(/"Trial client" \(not verified\)/);

    expect(await cli('connections', 'revoke', id)).toContain(`(${id})`);
    const { access_token: token, refresh_token: refresh } = provider.kept.tokens ?? {};
    const late = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(late.status).toBe(401);
    expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await cli('connections', 'revoke', id)).toMatch(/There is no connection with this id/);
    expect(JSON.parse(await cli('connections', 'list', '--json')).connections).toEqual([]);
    await client.close();
    await program.stop();
    expect(program.stderr).toMatch(/ sign-in /);
    for (const secret of [token, refresh, before, passphrase, browser.cookies.split('=')[1]]) {
      expect(program.stderr).not.toContain(secret);
    }
    expect(program.stderr).not.toMatch(/vd[akr]_|redirect_uri|code=vdk/);
  });

  it('gets the toolsets and folders that the owner chose, and others get those of the server', async () => {
    const { base, browser, cli } = await startOwnedServer();
    const provider = new SdkSignIn();
    const { client } = await connectSignedIn(`${base}/mcp`, provider, (url) =>
      browser.decide(url, { tools: ['agent'], folders: ['Work'] }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('vault_search');
    const { token } = JSON.parse(await cli('token', 'create', 'x', '--tools', 'notes', '--json'));
    const listed = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(await listed.text()).toContain('"read_note"');
    await client.close();
  });

  it('is told when the owner refuses', async () => {
    const { base, browser } = await startOwnedServer();
    const refused = connectSignedIn(`${base}/mcp`, new SdkSignIn(), (url) =>
      browser.decide(url, { answer: 'refuse' }),
    );
    await expect(refused).rejects.toThrow('The owner said no');
  });
});

describe('an open stream', () => {
  it('ends soon when its connection is revoked', async () => {
    const { base, browser, cli } = await startOwnedServer();
    const provider = new SdkSignIn();
    const { client, transport } = await connectSignedIn(`${base}/mcp`, provider, (url) =>
      browser.decide(url),
    );
    const stream = await fetch(`${base}/mcp`, {
      headers: {
        authorization: `Bearer ${provider.kept.tokens?.access_token}`,
        accept: 'text/event-stream',
        'mcp-session-id': transport.sessionId ?? '',
      },
    });
    expect(stream.status).toBe(200);
    await cli('connections', 'revoke', '--all');
    // The promise is a second, and this is how often the server looks; a slow machine may take longer.
    expect(limits.tokenLookMs).toBeLessThanOrEqual(500);
    await stream.text().catch(() => undefined);
    await client.close();
  });
});

describe('what a client has signed in for', () => {
  it('goes on after a restart, in the same session, and ends at a server of another vault', async () => {
    const { base, browser, program, folder } = await startOwnedServer();
    const provider = new SdkSignIn();
    const { client, transport } = await connectSignedIn(`${base}/mcp`, provider, (url) =>
      browser.decide(url),
    );
    await client.listTools();
    await client.close();
    await program.stop();
    const args = ['--port', new URL(base).port, '--public-url', base];
    const again = await HttpProcess.start({ folder, args, env: program.env });
    expect(again.stdout).not.toContain('NOBODY');
    const asked = () =>
      fetch(`${base}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${provider.kept.tokens?.access_token}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'mcp-session-id': transport.sessionId ?? '',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    const listed = await asked();
    expect([listed.status, await listed.text()]).toEqual([
      200,
      expect.stringContaining('"read_note"'),
    ]);
    await again.stop();
    const { VAULT_PATH: _, ...env } = program.env;
    const other = tempFolder({ 'C.md': 'text of C' });
    const elsewhere = await HttpProcess.start({ folder: other, args, env });
    expect((await asked()).status).toBe(401);
    await elsewhere.stop();
  });

  it('does not open Bridge v1', async () => {
    const bridgeToken = 'a-token-of-the-bridge-alone';
    const { base, browser, program } = await startOwnedServer({
      args: ['--bridge-port', '0'],
      env: { VAULTDOOR_BRIDGE_TOKEN: bridgeToken },
    });
    const provider = new SdkSignIn();
    const { client } = await connectSignedIn(`${base}/mcp`, provider, (url) => browser.decide(url));
    const tools = async (token?: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${program.bridgeUrl}/bridge/v1/tools`, { headers })).status;
    };
    expect(await tools(bridgeToken)).toBe(200);
    expect(await tools(provider.kept.tokens?.access_token)).toBe(401);
    await client.close();
  });

  it('cannot be looked up in a damaged book, while static tokens go on', async () => {
    const { base, browser, program, cli } = await startOwnedServer();
    const provider = new SdkSignIn();
    const { client } = await connectSignedIn(`${base}/mcp`, provider, (url) => browser.decide(url));
    await client.close();
    const { token } = JSON.parse(await cli('token', 'create', 'x', '--json'));
    const book = join(program.env['XDG_STATE_HOME'] ?? '', 'vaultdoor', 'oauth.json');
    writeFileSync(book, readFileSync(book, 'utf8').slice(0, -20));
    const status = async (bearer?: string) => {
      const headers = { authorization: `Bearer ${bearer}` };
      return (await fetch(`${base}/mcp`, { headers })).status;
    };
    expect(await status(provider.kept.tokens?.access_token)).toBe(503);
    expect(await status(token)).toBe(405);
  });
});

it('a public address may have a path, which the proxy may strip or not', async () => {
  const { base, browser } = await startOwnedServer({ path: '/notes' });
  const { client } = await connectSignedIn(`${base}/mcp`, new SdkSignIn(), (url) =>
    browser.decide(url),
  );
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
  expect((await fetch(new URL('/mcp', base))).status).toBe(401);
});

it.each([[['--oauth', 'off']], [['--auth', 'proxy']]])(
  'nobody can sign in with %j',
  async (args) => {
    const port = await freePort();
    const base = `http://localhost:${port}`;
    const folder = tempFolder({ 'A.md': 'text of A' });
    const env = { XDG_STATE_HOME: tempFolder() };
    await runCli(['token', 'create', 'x', '--vault', folder], env);
    const program = await HttpProcess.start({
      folder,
      env,
      args: ['--port', String(port), '--public-url', base, ...args],
    });
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/authorize', '/owner']) {
      expect([path, (await fetch(`${base}${path}`)).status]).toEqual([path, 404]);
    }
    expect(program.stdout).not.toContain('/owner');
  },
);
