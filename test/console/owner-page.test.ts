import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { ConsoleBrowser } from '../support/console-browser.ts';
import { HttpProcess } from '../support/http-process.ts';
import { OwnerBrowser } from '../support/owner-browser.ts';
import { tempFolder } from '../support/temp-folder.ts';

const passphrase = 'correct horse battery';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}

it("leads from the owner's page to the console, which ends with the owner", async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const program = await HttpProcess.start({
    folder: tempFolder({ 'A.md': 'a' }),
    args: ['--port', String(port), '--public-url', base],
  });
  const code = /\n {2}([0-9A-Z]{4}(?:-[0-9A-Z]{4}){4})\n/.exec(program.stdout)?.[1] ?? '';
  const browser = new OwnerBrowser(base);
  const stranger = await browser.post('/owner/console', [['word', 'x']]);
  expect([stranger.status, stranger.headers.get('location') ?? '']).not.toContain('#k=');
  await browser.setUp(code, passphrase);
  const word = async (): Promise<string> => {
    const { text } = await browser.open('/owner');
    expect(text).toContain('Open the console');
    return /name="word" value="([^"]*)"/.exec(text)?.[1] ?? '';
  };
  const wrong = await browser.post('/owner/console', [['word', 'x']]);
  expect(wrong.headers.get('location') ?? '').not.toContain('#k=');
  const led = await browser.post('/owner/console', [['word', await word()]]);
  expect([led.status, led.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/c\/enter#k=[\w-]{43}$/),
  ]);
  const owner = await ConsoleBrowser.enter(new URL(led.headers.get('location') ?? '', base).href);
  expect(await owner.json('/me')).toMatchObject({ ownerPage: `${base}/owner`, isAlone: false });
  let ended: Promise<string> | undefined;
  await new Promise<void>((resolve) => {
    ended = owner.eventsUntil((events) => {
      if (events.includes('event: hello')) resolve();
      return false;
    });
  });
  const again = 'another horse battery';
  const changed = await browser.post('/owner/passphrase', [
    ['word', await word()],
    ['passphrase', again],
    ['again', again],
  ]);
  expect(changed.status).toBe(200);
  await ended; // Without another request.
  expect((await owner.send('/me')).status).toBe(401);

  // Who comes from the console is led back to it; no other address leads anywhere else.
  const rows = [
    ['?to=console', /^\/c\/enter#k=[\w-]{43}$/],
    ['?to=https://other.example', /^\/owner$/],
    ['', /^\/owner$/],
  ] as const;
  for (const [query, expected] of rows) {
    const visitor = new OwnerBrowser(base);
    const { text } = await visitor.open(`/owner${query}`);
    const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(text) ?? [];
    const signedIn = await visitor.post(action, [['passphrase', again]]);
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(expected),
    ]);
  }
  await program.stop();
  expect(program.stderr).not.toContain('#k=');
});
