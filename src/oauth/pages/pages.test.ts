import { describe, expect, it } from 'vitest';
import type { ClientKind } from '../ports/oauth-book.ts';
import { backPage } from './back-page.ts';
import { consentPage } from './consent-page.ts';
import type { ConsentChosen, ConsentView } from './consent-view.ts';
import { messagePage } from './message-page.ts';
import { noOwnerPage } from './no-owner-page.ts';
import { ownerPage } from './owner-page.ts';
import type { OwnerConnection, OwnerView } from './owner-view.ts';
import { passkeyScript } from './passkey-script.ts';
import { setUpPage } from './set-up-page.ts';
import { signInPage } from './sign-in-page.ts';
import { pageStyle } from './style.ts';

const nasty = `"><script>alert(1)</script><img src=x onerror='x' style="x">&`;

function consent(some: Partial<ConsentView> = {}): string {
  return consentPage({
    action: '/authorize/1',
    word: 'w',
    client: { name: 'Claude', kind: 'known', host: 'claude.ai' },
    target: { kind: 'web', host: 'claude.ai' },
    vaults: ['Tarnford'],
    choices: ['read', 'propose', 'change', 'delete'],
    preselected: 'change',
    folders: ['Projects', 'Recipes'],
    existing: [],
    needsFresh: false,
    lastDays: { '1': 'Monday', '30': 'June', '90': 'August', '365': 'May' },
    ...some,
  });
}

const connection: OwnerConnection = {
  id: 'g1',
  client: 'Claude',
  kind: 'known',
  answersTo: 'claude.ai',
  folders: 'the whole vault',
  rights: 'reads notes',
  tools: 'notes',
  created: 'today',
  lastUse: 'today',
  ends: 'never',
  pairsNow: 1,
};

const paths = {
  revoke: '/revoke-one',
  revokeAll: '/revoke-all',
  removePasskey: '/remove',
  passphrase: '/passphrase',
  signOut: '/sign-out',
  signIn: '/sign-in',
  owner: '/owner',
  passkeyScript: '/passkey.js',
  passkeyOptions: '/options',
  passkeyAnswer: '/answer',
};

function owner(some: Partial<OwnerView> = {}): string {
  const view = {
    connections: [connection],
    passkeys: [],
    canAddPasskey: true,
    isFresh: true,
    waiting: 0,
  };
  const address = 'https://vault.example/mcp';
  return ownerPage({ ...view, address, word: 'w', paths, ...some });
}

const passkey = { id: nasty, name: nasty, host: nasty, created: nasty, lastUse: nasty };
const everywhere = { script: nasty, options: nasty, answer: nasty, next: nasty };
const nastyConnection: OwnerConnection = {
  ...{ id: nasty, client: nasty, kind: 'document', answersTo: nasty, folders: nasty },
  ...{ rights: nasty, tools: nasty, created: nasty, lastUse: nasty, ends: nasty, pairsNow: 2 },
};
const chosen: ConsentChosen = {
  ...{ rights: 'delete', where: 'folders', folders: ['Recipes', 'A/B', nasty] },
  ...{ tools: ['agent'], days: 'never', grant: 'g1' },
};

/** Every page, with text in every place that a stranger would write there. */
const pages: Readonly<Record<string, string>> = {
  message: messagePage({ title: nasty, text: nasty, more: [nasty] }),
  back: backPage({ to: 'https://a.example/?a=1&b=2', clientName: nasty, allowed: true }),
  'sign-in': signInPage({ action: nasty, message: nasty, for: nasty, passkeys: everywhere }),
  'set-up': setUpPage({ action: nasty, message: nasty }),
  'no owner': noOwnerPage({ setUp: nasty }),
  consent: consent({
    ...{ action: nasty, word: nasty, vaults: [nasty, nasty], folders: [nasty], message: nasty },
    client: { name: nasty, kind: 'document', host: nasty },
    target: { kind: 'app', scheme: nasty },
    existing: [{ id: nasty, created: nasty, lastUse: nasty, rights: nasty }],
    ...{ chosen, needsFresh: true },
  }),
  owner: owner({
    connections: [nastyConnection, { ...nastyConnection, ended: nasty }],
    ...{ passkeys: [passkey], word: nasty, message: nasty, address: nasty },
  }),
};

describe.each(Object.entries(pages))('the page: %s', (name, text) => {
  const rest = text.replace(`<style>${pageStyle}</style>`, '');

  it('has no markup but its own', () => {
    expect(rest).not.toContain('<script>');
    expect(rest).not.toMatch(/<img|<style|<iframe|<base|<link/);
    const tags = rest.replace(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => /\s(?:style|on\w+)=/.test(tag))).toEqual([]);
  });

  it('loads nothing from elsewhere', () => {
    expect(pageStyle).not.toMatch(/url\(|@import|</);
    expect(rest.match(/https?:[^"<]*/g) ?? []).toEqual(
      name === 'back' ? Array(2).fill('https://a.example/?a=1&amp;b=2') : [],
    );
  });

  it('has a language, a title, one heading, and focus nowhere', () => {
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text.match(/<title>[^<]+ · Vaultdoor<\/title>/g)).toHaveLength(1);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).not.toContain('autofocus');
  });
});

/** The values of the fields with this name, and those that are ticked. */
function fields(text: string, name: string) {
  const all = Array.from(text.matchAll(/<(?:input|button)\b[^>]*>/g), ([tag]) => tag);
  const own = all.filter((tag) => tag.includes(` name="${name}"`));
  const valueIn = (tag: string) => / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  return {
    values: own.map(valueIn),
    ticked: own.filter((tag) => tag.includes(' checked')).map(valueIn),
  };
}

describe('the consent page', () => {
  it('asks for what the door reads, with the defaults', () => {
    const text = consent();
    const rights = ['read', 'propose', 'change', 'delete'];
    expect(fields(text, 'rights')).toEqual({ values: rights, ticked: ['change'] });
    expect(fields(text, 'where')).toEqual({ values: ['all', 'folders'], ticked: ['all'] });
    const folders = ['Projects', 'Recipes', '', '', ''];
    expect(fields(text, 'folder')).toEqual({ values: folders, ticked: [] });
    const tools = ['notes', 'obsidian', 'agent'];
    expect(fields(text, 'tools')).toEqual({ values: tools, ticked: ['notes'] });
    const days = ['1', '30', '90', '365', 'never'];
    expect(fields(text, 'days')).toEqual({ values: days, ticked: ['90'] });
    expect(fields(text, 'grant').values).toEqual([]);
    expect(fields(text, 'passphrase').values).toEqual([]);
    expect(fields(text, 'answer').values).toEqual(['refuse', 'allow']);
    expect(fields(text, 'word').values).toEqual(['w']);
  });

  it('names the vault as such, and says what happens at the end', () => {
    const text = consent({ vaults: ['Notes'] });
    expect(text).toContain('<b>The whole vault “Notes”</b>');
    expect(text).toContain('After that, you have to allow it again.');
    expect(consent({ vaults: ['A', 'B'] })).toContain('<b>All 2 vaults</b><small>A, B</small>');
  });

  it('shows what was entered again', () => {
    const existing = [{ id: 'g1', created: 'today', lastUse: 'never', rights: 'reads notes' }];
    const text = consent({ chosen, existing, needsFresh: true, message: 'No.' });
    expect(fields(text, 'rights').ticked).toEqual(['delete']);
    expect(fields(text, 'where').ticked).toEqual(['folders']);
    expect(fields(text, 'folder').ticked).toEqual(['Recipes']);
    expect(fields(text, 'folder').values).toHaveLength(5);
    expect(fields(text, 'folder').values).toContain('A/B');
    expect(fields(text, 'tools').ticked).toEqual(['agent']);
    expect(text).toContain('<details open>');
    expect(fields(text, 'days').ticked).toEqual(['never']);
    expect(fields(text, 'grant')).toEqual({ values: ['g1', 'new'], ticked: ['g1'] });
    expect(fields(text, 'passphrase').values).toEqual(['']);
  });

  it.each<[Partial<ConsentView>, focused: RegExp]>([
    [{ wrongAt: 'folders' }, /<input type="checkbox" name="folder" value="Projects" autofocus/],
    [{ wrongAt: 'folders', folders: [] }, /<input class="in" name="folder"[^>]* autofocus/],
    [{ wrongAt: 'folders', chosen }, /<input class="in" name="folder"[^>]*"A\/B"[^>]* autofocus/],
    [{ wrongAt: 'passphrase', chosen, needsFresh: true }, /name="passphrase"[^>]* autofocus/],
  ])('says what is wrong at its field too, which has the focus: %j', (some, focused) => {
    const text = consent({ message: 'Wrong.', ...some });
    expect(text.match(/<span>Wrong\.<\/span>/g)).toHaveLength(2);
    expect(text.match(/ autofocus aria-invalid="true" aria-describedby="wrong"/g)).toHaveLength(1);
    expect(text).toContain(' id="wrong"');
    expect(text).toMatch(focused);
  });

  it('sums up every choice above the buttons, and the style shows those that are ticked', () => {
    const text = consent();
    const [line = ''] = /<p class="says">.*<\/p>/.exec(text) ?? [];
    const names = Array.from(line.matchAll(/class="says-([^"]+)"/g), ([, name]) => name ?? '');
    const values = ['rights', 'where', 'days'].flatMap((name) => fields(text, name).values);
    const isFolder = (name: string): boolean => /^(folder-\d|typed|more|none)$/.test(name);
    expect(names.filter((name) => !isFolder(name))).toEqual(values);
    expect(line).toContain('<span class="says-folder-1"> “Recipes”</span>');
    expect(text).toContain('value="Recipes" data-at="1"');
    for (const name of names.filter(isFolder))
      expect(pageStyle).toMatch(new RegExp(`\\.says-${name}[ ,]`));
    for (const value of values) {
      expect(pageStyle).toMatch(
        new RegExp(`\\[value="${value}"\\]:checked\\) \\.says-${value}[ ,]`),
      );
    }
    expect(line).toContain('It may read and change notes');
    expect(line).toContain(', until August<');
    expect(text.indexOf(line)).toBeLessThan(text.indexOf('value="refuse"'));
  });

  it('leaves room for one more folder than was typed', () => {
    const folders = ['A', 'B', 'C', 'D'];
    const text = consent({ chosen: { ...chosen, folders }, folders: [] });
    expect(fields(text, 'folder').values).toEqual([...folders, '']);
  });

  it.each<[Partial<ConsentView>, string[]]>([
    [{ choices: ['read'], preselected: 'read', needsFresh: true }, ['read']],
    [{ asked: 'read' }, ['change']],
  ])('ticks what is selected at first: %j', (some, ticked) => {
    expect(fields(consent(some), 'rights').ticked).toEqual(ticked);
  });

  it('asks for no passphrase where nobody may delete', () => {
    const text = consent({ choices: ['read'], needsFresh: true });
    expect(fields(text, 'passphrase').values).toEqual([]);
  });

  it.each<[ClientKind, isVerified: boolean]>([
    ['known', true],
    ['entered', true],
    ['document', false],
    ['registered', false],
  ])('says of a client that is %s whether its name is verified', (kind, isVerified) => {
    const text = consent({ client: { name: 'Vaultdoor (verified)', kind } });
    expect(text.includes('This name is not verified: any app can call itself so')).toBe(
      !isVerified,
    );
    expect(text.match(/not verified/g)?.length ?? 0).toBe(isVerified ? 0 : 1);
  });

  it.each<[ConsentView['target'], string]>([
    [{ kind: 'web', host: 'claude.ai.evil.example' }, '<strong>claude.ai.evil.example</strong>'],
    [{ kind: 'loopback' }, '<strong>an app on this device</strong>'],
    [{ kind: 'app', scheme: 'cursor' }, '<strong>the app that opens cursor: links</strong>'],
  ])('says in large type where the answer goes: %j', (target, expected) => {
    expect(consent({ target })).toContain(expected);
  });

  it('names an app without a name', () => {
    const text = consent({ client: { name: '', kind: 'registered' } });
    expect(text).toContain('<h1>An app without a name asks to use your notes</h1>');
  });
});

describe('the page that leads back', () => {
  it('leads there by itself and by a link', () => {
    const text = backPage({ to: 'cursor://x/cb?code=1&iss=2', clientName: '', allowed: false });
    expect(text).toContain('content="0;url=cursor://x/cb?code=1&amp;iss=2"');
    expect(text).toContain('href="cursor://x/cb?code=1&amp;iss=2">Back to the app</a>');
  });

  it.each(['https://a.example/"', 'https://a.example/<', "x:'", 'x:\n', 'x:ü', 'x: y'])(
    'takes no address that was not checked: %j',
    (to) => {
      expect(() => backPage({ to, clientName: '', allowed: true })).toThrow('assertion failed');
    },
  );
});

describe('the owner’s page', () => {
  it.each<[string, Partial<OwnerView>, has: string[], hasNot: string[]]>([
    [
      'one app',
      {},
      ['/revoke-one', '/sign-out'],
      ['/revoke-all', 'keys at the same time', 'does not come in now'],
    ],
    [
      'two apps',
      { connections: [connection, { ...connection, pairsNow: 2, isElsewhere: true }] },
      ['/revoke-all', 'It holds 2 keys at the same time', 'It does not come in now'],
      [],
    ],
    [
      'only an ended one',
      { connections: [{ ...connection, ended: 'today: you disconnected it' }] },
      ['No app is connected', 'Ended lately: 1', 'today: you disconnected it'],
      ['/revoke-one', '/revoke-all'],
    ],
    [
      'fresh',
      { passkeys: [passkey] },
      ['src="/passkey.js"', 'data-options="/options"', '/remove', '/passphrase'],
      ['/sign-in"'],
    ],
    [
      'signed in a while ago',
      { isFresh: false, passkeys: [passkey] },
      ['/sign-in"'],
      ['<script', 'data-options', '/remove', 'action="/passphrase"'],
    ],
    [
      'an address without a name',
      { canAddPasskey: false },
      ['Passkeys need an address with a name'],
      ['<script', 'data-options'],
    ],
    [
      'a console where nothing waits',
      { paths: { ...paths, console: '/open' } },
      ['action="/open"', 'Open the console</button>'],
      ['class="count"'],
    ],
    [
      'how much waits in the console',
      { paths: { ...paths, console: '/open' }, waiting: 3 },
      [
        '3 things wait in the console for your answer',
        'Open the console <span class="count">3</span>',
      ],
      [],
    ],
    ['a message', { message: 'Done.' }, ['role="status"', 'Done.'], ['class="note bad"><svg']],
    ['an error', { message: 'No.', isError: true }, ['<p class="note bad" role="alert"><svg'], []],
  ])('shows %s', (_name, some, has, hasNot) => {
    const text = owner(some);
    for (const part of has) expect(text).toContain(part);
    for (const part of hasNot) expect(text).not.toContain(part);
  });
});

describe('the sign-in page', () => {
  it('has a script only where there are passkeys, and hides the button until it runs', () => {
    expect(signInPage({ action: '/x' })).not.toMatch(/<script|passkey/);
    const passkeys = { script: '/s.js', options: '/o', answer: '/a', next: '/n' };
    const text = signInPage({ action: '/x', passkeys });
    expect(text).toContain('<script src="/s.js" defer></script>');
    expect(text).toContain('<form hidden data-passkey="get" data-options="/o" data-answer="/a"');
  });
});

describe('the passkey script', () => {
  it('is a program', () => {
    expect(() => new Function(passkeyScript)).not.toThrow();
  });
});
