import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sql } from '../../src/postgres/connection/sql.ts';
import { startBalancer } from '../support/balancer.ts';
import { clusterNodes, say } from '../support/cluster-nodes.ts';
import { freePort } from '../support/free-port.ts';
import { makePng } from '../support/make-png.ts';
import { OwnerBrowser } from '../support/owner-browser.ts';
import { connectSignedIn, SdkSignIn } from '../support/sdk-sign-in.ts';

const newCluster = clusterNodes();

/** The console of a browser, as its page asks for it. */
class ConsolePage {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(origin: string, headers: Readonly<Record<string, string>>) {
    this.#origin = origin;
    this.#headers = headers;
  }

  /** Opens it with a one-time key. */
  static async enter(origin: string, key: string): Promise<ConsolePage> {
    const headers = { origin, 'content-type': 'application/json' };
    const body = JSON.stringify({ key });
    const response = await fetch(`${origin}/c/api/enter`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const entered = (await response.json()) as { readonly key: string };
    return new ConsolePage(origin, { cookie, 'x-vaultdoor-console': entered.key });
  }

  send(path: string, body?: object): Promise<Response> {
    const post = { origin: this.#origin, 'content-type': 'application/json' };
    return fetch(`${this.#origin}/c/api${path}`, {
      headers: { ...this.#headers, ...(body && post) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  }

  /** What the server answers; fails with its words. */
  async ask<T extends object>(path: string, body?: object): Promise<T> {
    const response = await this.send(path, body);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** The secrets that the browser has. */
  get secrets(): readonly string[] {
    return Object.values(this.#headers).map((value) => value.replace(/^.*=/, ''));
  }

  /** Follows the events; what it answers grows. */
  async follow(): Promise<{ text: string; readonly end: Promise<void> }> {
    const response = await this.send('/events');
    const heard = { text: '', end: Promise.resolve() };
    heard.end = (async () => {
      for await (const bytes of response.body ?? []) heard.text += Buffer.from(bytes).toString();
    })().catch(() => undefined);
    return heard;
  }
}

it('an app signs in and the owner uses the console through every node, also when one is killed', async () => {
  const cluster = await newCluster();
  const folder = await cluster.addVault('garden', { 'Plan.md': 'plant [[trees]]\n' });
  writeFileSync(join(folder, 'Dot.png'), makePng({ width: 1, height: 1 }));
  await cluster.addVault('shed', { 'Tools.md': 'a spade\n' });
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const args = ['--public-url', base, '--propose', '--log-reads'];
  const nodes = [await cluster.start('a', { args }), await cluster.start('b', { args })];
  let alive = nodes;
  const { answeredBy } = await startBalancer(port, () =>
    alive.map(({ program }) => program.at('/')),
  );

  const browser = new OwnerBrowser(base);
  const printed = nodes[1]?.program.stdout ?? '';
  expect(printed).not.toContain('vaultdoor console');
  const [code = ''] = /(?<=\n {2})[0-9A-Z]{4}(-[0-9A-Z]{4}){4}(?=\n)/.exec(printed) ?? [];
  expect((await browser.setUp(code, 'correct horse battery')).status).toBe(303);
  const consent = { rights: 'propose' } as const;
  const decide = (url: string) => browser.decide(url, consent);
  const { client } = await connectSignedIn(`${base}/mcp`, new SdkSignIn(), decide);
  const call = (name: string, more: object) => say(client, name, { vault: 'garden', ...more });
  expect(await call('read_note', { name: 'Plan' })).toContain('plant [[trees]]');
  expect(await call('append_note', { name: 'Plan', text: 'water them' })).toContain('p1');
  expect(new Set(answeredBy).size).toBe(2);

  const ownerPage = await browser.open('/owner');
  expect(ownerPage.text).toContain('1 ');
  const word = /name="word" value="([^"]*)"/.exec(ownerPage.text)?.[1] ?? '';
  const led = await browser.post('/owner/console', [['word', word]]);
  const key = led.headers.get('location')?.split('#k=')[1] ?? '';
  const page = await ConsolePage.enter(base, key);
  const again = { method: 'POST', headers: { origin: base, 'content-type': 'application/json' } };
  const used = await fetch(`${base}/c/api/enter`, { ...again, body: JSON.stringify({ key }) });
  expect(used.status).toBe(403);
  expect((await fetch(`${base}/c/`)).headers.get('content-type')).toContain('text/html');
  const kept = JSON.stringify(await cluster.postgres().all(sql`SELECT * FROM brief`));
  for (const secret of [key, ...page.secrets]) expect(kept).not.toContain(secret);

  // Each twice: by the node that has the vault, and by the other one.
  const twice = async (path: string): Promise<readonly object[]> => [
    await page.ask(path),
    await page.ask(path),
  ];
  const inGarden = (path: string) => twice(`${path}${path.includes('?') ? '&' : '?'}vault=garden`);
  const both = (shown: object) => [shown, shown].map((each) => expect.objectContaining(each));
  const vaults = [{ name: 'garden' }, { name: 'shed' }].map((each) =>
    expect.objectContaining(each),
  );
  expect(await twice('/me')).toEqual(both({ vaults }));
  const heard = await page.follow();
  expect(await inGarden('/note?path=Plan.md')).toEqual(both({ text: 'plant [[trees]]\n', at: 0 }));
  expect(JSON.stringify(await inGarden('/search?query=plant'))).toContain('Plan.md');
  expect(JSON.stringify(await inGarden('/unresolved'))).toContain('trees');
  expect(await inGarden('/questions')).toEqual(both({ open: [], at: 0, passkey: 'none' }));
  const waits = expect.objectContaining({ id: 'p1', state: 'open' });
  expect(await inGarden('/proposals')).toEqual(both({ open: [waits] }));
  expect(JSON.stringify(await inGarden('/proposals/p1'))).toContain('+water them');
  expect(JSON.stringify(await inGarden('/grants'))).toContain('Trial client');
  expect((await page.send('/note?path=Plan.md')).status).toBe(400);
  await expect.poll(() => inGarden('/reads').then(JSON.stringify)).toContain('Plan.md');
  for (const _ of nodes) {
    const picture = await page.send('/file?path=Dot.png&vault=garden');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(readFileSync(join(folder, 'Dot.png')));
  }
  const accepted = await page.ask('/proposals/accept?vault=garden', { names: ['p1'] });
  expect(accepted).toMatchObject({ results: [{ outcome: 'made', change: 1 }] });
  await expect.poll(() => heard.text).toContain('event: change\ndata: {"vault":"garden","at":1}');
  await expect.poll(() => heard.text).toContain('event: index\ndata: {"vault":"garden"');
  expect(JSON.stringify(await inGarden('/changes'))).toContain('Plan.md');
  expect(JSON.stringify(await inGarden('/changes/1'))).toContain('water them');

  for (const _ of nodes) {
    const would = await page.ask('/undo?vault=garden', { ids: [1], dryRun: true });
    expect(would).toMatchObject({ restored: ['Plan.md'] });
  }
  const metrics = await Promise.all(
    nodes.map(async ({ clusterUrl }) => (await fetch(`${clusterUrl}/metrics`)).text()),
  );
  const passedOn = metrics.map((text) => /calls_total\{outcome="answered"\} (\d+)/.exec(text)?.[1]);
  expect(Math.max(...passedOn.map((count) => Number(count ?? 0)))).toBeGreaterThan(10);

  const owner = await cluster
    .postgres()
    .get<{ node: string }>(sql`SELECT node FROM vault WHERE name = 'garden'`);
  alive = nodes.filter(({ name }) => name !== owner?.node);
  expect(alive).toHaveLength(1);
  for (const node of nodes) if (!alive.includes(node)) node.kill('SIGKILL');
  expect(await inGarden('/me')).toEqual(both({ vaults }));
  expect(JSON.stringify(await inGarden('/changes'))).toContain('Plan.md');
  const undone = await page.ask('/undo?vault=garden', { ids: [1] });
  expect(undone).toMatchObject({ restored: ['Plan.md'] });
  expect(readFileSync(join(folder, 'Plan.md'), 'utf8')).toBe('plant [[trees]]\n');
  expect(await call('read_note', { name: 'Plan' })).not.toContain('water');

  // A third node knows the console too; when it signs out there, its streams end at the others.
  const followed = await page.follow();
  const third = await cluster.start('c', { args });
  alive = [third];
  expect((await page.send('/sign-out', { everywhere: true })).status).toBe(200);
  await followed.end;
  expect((await page.send('/me')).status).toBe(401);
});
