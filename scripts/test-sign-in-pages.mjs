// Shows every sign-in page in Chromium with examples that fill it, under the policy that the server
// sends, and checks each with axe-core. The pictures are kept in the folder that is given, or in
// /tmp/vaultdoor-pages.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { lookAt, startChromium } from './look-at-page.mjs';
import { check, repository } from './outside-programs.mjs';

const names = [
  'back-page',
  'consent-page',
  'message-page',
  'no-owner-page',
  'owner-page',
  'passkey-script',
  'set-up-page',
  'sign-in-page',
  'style',
];
const folder = join(repository, 'src', 'oauth', 'pages');
const contents = names.map((name) => `export * from './${name}.ts';`).join('\n');
const { outputFiles } = await build({
  stdin: { contents, resolveDir: folder, loader: 'ts' },
  bundle: true,
  format: 'esm',
  write: false,
});
const pages = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

const passkeys = {
  script: '/owner/passkey.js',
  options: '/owner/passkeys/request',
  answer: '/owner/passkeys/sign-in',
  next: '/done',
};
const consent = {
  action: '/authorize/1',
  word: 'word',
  client: { name: 'Claude', kind: 'known', host: 'claude.ai' },
  target: { kind: 'web', host: 'claude.ai' },
  vaults: ['Tarnford'],
  choices: ['read', 'propose', 'change', 'delete'],
  preselected: 'change',
  asked: 'change',
  folders: ['Daily', 'Projects', 'Reading', 'Recipes', 'Templates'],
  existing: [],
  needsFresh: true,
  lastDays: {
    1: '18 November 2026',
    30: '17 December 2026',
    90: '15 February 2027',
    365: '17 November 2027',
  },
};
const connections = [
  {
    id: 'g1',
    client: 'Claude',
    kind: 'known',
    answersTo: 'claude.ai',
    folders: 'the whole vault',
    rights: 'reads and changes notes',
    tools: 'notes',
    created: '10 November 2026',
    lastUse: 'today',
    ends: 'on 8 February 2027',
    pairsNow: 1,
  },
  {
    id: 'g2',
    client: 'MCP CLI Proxy',
    kind: 'registered',
    answersTo: 'the device where you let it in',
    folders: 'Projects/Garden, Reading, Recipes',
    rights: 'reads notes and proposes changes',
    tools: 'notes, agent',
    created: '2 November 2026',
    lastUse: 'yesterday',
    ends: 'when you disconnect it',
    pairsNow: 3,
  },
];
const owner = {
  connections,
  passkeys: [
    {
      id: 'p1',
      name: 'My phone',
      host: 'vault.example.com',
      created: '9 November 2026',
      lastUse: 'yesterday',
    },
  ],
  canAddPasskey: true,
  isFresh: true,
  address: 'https://vault.example.com/mcp',
  word: 'word',
  waiting: 0,
  paths: {
    revoke: '/owner/revoke',
    revokeAll: '/owner/revoke-all',
    removePasskey: '/owner/passkeys/remove',
    passphrase: '/owner/passphrase',
    signOut: '/owner/sign-out',
    signIn: '/owner/sign-in',
    owner: '/owner',
    passkeyScript: '/owner/passkey.js',
    passkeyOptions: '/owner/passkeys/create',
    passkeyAnswer: '/owner/passkeys/add',
  },
};
const ended = { ...connections[0], id: 'g3', ended: 'yesterday: you disconnected it' };

const samples = {
  'sign-in': pages.signInPage({ action: '/x', for: 'Claude', passkeys }),
  'sign-in-wrong': pages.signInPage({ action: '/x', message: 'The passphrase is wrong.' }),
  'set-up': pages.setUpPage({ action: '/x', message: 'The two passphrases differ.' }),
  'no-owner': pages.noOwnerPage({ setUp: '/owner/set-up' }),
  message: pages.messagePage({
    title: 'This app is not known here',
    text: 'It sent an id that this server has not given out.',
    more: ['Remove the connector in the program, and add it again.'],
  }),
  allowed: pages.backPage({ to: '#allowed', clientName: 'Claude', allowed: true }),
  refused: pages.backPage({ to: '#refused', clientName: '', allowed: false }),
  'consent-known': pages.consentPage(consent),
  'consent-registered': pages.consentPage({
    ...consent,
    client: { name: 'MCP CLI Proxy', kind: 'registered' },
    target: { kind: 'loopback' },
    vaults: ['Tarnford', 'Work'],
    preselected: 'read',
    existing: [
      {
        id: 'g2',
        created: '2 November 2026',
        lastUse: 'yesterday',
        rights: 'reads notes in Recipes',
      },
    ],
    changeDefault: 'g2',
    chosen: {
      rights: 'delete',
      where: 'folders',
      folders: ['Reading', 'Nowhere'],
      tools: ['notes', 'agent'],
      days: 'never',
      grant: 'g2',
    },
    message: 'There is no folder “Nowhere”.',
    wrongAt: 'folders',
  }),
  'consent-no-folder': pages.consentPage({
    ...consent,
    chosen: {
      rights: 'propose',
      where: 'folders',
      folders: [],
      tools: ['notes'],
      days: '90',
      grant: 'new',
    },
    message: 'Choose at least one folder.',
    wrongAt: 'folders',
  }),
  'consent-app': pages.consentPage({
    ...consent,
    client: {
      name: 'W'.repeat(60),
      kind: 'document',
      host: `${'long-name-of-a-host.'.repeat(5)}example`,
    },
    target: { kind: 'app', scheme: 'cursor' },
    choices: ['read'],
    preselected: 'read',
    folders: [],
  }),
  'consent-entered': pages.consentPage({
    ...consent,
    client: { name: '', kind: 'entered' },
    target: { kind: 'web', host: `${'long-name-of-a-host.'.repeat(5)}example` },
  }),
  owner: pages.ownerPage({ ...owner, connections: [...connections, ended] }),
  'owner-waiting': pages.ownerPage({
    ...owner,
    paths: { ...owner.paths, console: '/owner/console' },
    waiting: 2,
  }),
  'owner-empty': pages.ownerPage({
    ...owner,
    connections: [],
    passkeys: [],
    isFresh: false,
    message: 'All apps are disconnected.',
  }),
  'owner-address': pages.ownerPage({
    ...owner,
    canAddPasskey: false,
    message: 'The two passphrases differ.',
    isError: true,
  }),
};

const hash = createHash('sha256').update(pages.pageStyle).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
const server = createServer((request, response) => {
  if (request.url === '/owner/passkey.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(pages.passkeyScript);
    return;
  }
  const html = samples[request.url.slice(1)];
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  response.writeHead(html === undefined ? 404 : 200, headers).end(html);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const browser = await startChromium();
const tab = await browser.newPage({ deviceScaleFactor: 2 });
const complaints = [];
tab.on('console', (message) => complaints.push(message.text()));
tab.on('pageerror', (error) => complaints.push(String(error)));
for (const name of Object.keys(samples)) {
  await tab.goto(`http://localhost:${server.address().port}/${name}`);
  const wrong = await lookAt(tab, name, process.argv[2]);
  check(`${name}: axe-core finds nothing`, wrong.length === 0, wrong);
}
await tab.setViewportSize({ width: 390, height: 844 });
await checkSummary();
await checkLength();
await checkWrongField();
const own = complaints.filter((text) => !text.includes('favicon'));
check('the browser complains about nothing', own.length === 0, own);
await browser.close();
server.close();

/** The line above the buttons follows the choices, although the page has no script. */
async function checkSummary() {
  await tab.goto(`http://localhost:${server.address().port}/consent-known`);
  const says = () => tab.locator('.says').innerText();
  const rows = [
    [[], 'It may read and change notes in the whole vault, until 15 February 2027.'],
    [
      ['rights=delete', 'where=folders', 'days=1'],
      'It may read, change and delete notes in no folder yet, until 18 November 2026.',
    ],
    [
      ['folder=Projects'],
      'It may read, change and delete notes in “Projects”, until 18 November 2026.',
    ],
    [
      ['rights=read', 'where=all', 'days=never'],
      'It may read notes in the whole vault, until you disconnect it.',
    ],
  ];
  for (const [choices, expected] of rows) {
    for (const choice of choices) {
      const [name, value] = choice.split('=');
      await tab.locator(`input[name="${name}"][value="${value}"]`).check();
    }
    const said = await says();
    check(`the summary says "${expected}"`, said === expected, said);
  }
}

/** On a phone, the first screen shows who asks and what it may do; a second one has the rest. */
async function checkLength() {
  await tab.goto(`http://localhost:${server.address().port}/consent-known`);
  const bottom = async (what) => {
    const box = await tab.locator(what).last().boundingBox();
    return box.y + box.height;
  };
  const rights = await bottom('.opt:has([name="rights"])');
  check('the first screen of a phone has all that it may do', rights <= 844, rights);
  const answer = await bottom('[name="answer"]');
  check('the buttons are on the second screen at the latest', answer <= 2 * 844, answer);
}

/** On a phone, what is wrong with the folders is seen where they are chosen. */
async function checkWrongField() {
  await tab.goto(`http://localhost:${server.address().port}/consent-no-folder`);
  const focused = await tab.evaluate(() => document.activeElement?.getAttribute('name'));
  check('the field that is wrong has the focus', focused === 'folder', focused);
  const box = await tab.locator('#wrong').boundingBox();
  const isSeen = box !== null && box.y >= 0 && box.y + box.height <= 844;
  check('and what is wrong is seen beside it', isSeen, box);
}
