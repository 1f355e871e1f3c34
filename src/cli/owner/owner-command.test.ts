import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { OwnerSignIn } from '../../oauth/owner/owner-sign-in.ts';
import type { Grant } from '../../oauth/ports/oauth-book.ts';
import type { Shell } from '../shell/shell.ts';
import { run } from '../start/run.ts';
import { openSignInBooks } from '../vaults/server-files.ts';
import { shownStateFolder } from '../vaults/state-folder.ts';

const passphrase = 'four words of mine';
const cost = { n: 2, r: 1, p: 1 };

/** A home of its own; what `owner` prints there. */
function home(env: Shell['env'] = {}) {
  const folder = tempFolder({ 'passphrase.txt': `${passphrase}\n`, 'two.txt': 'a\nb\n' });
  const all = {
    HOME: folder,
    USERPROFILE: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    ...env,
  };
  const books = openSignInBooks(all);
  return {
    state: appFolders(all, process.platform).state,
    oauth: books.oauth,
    /** A server of this home that runs meanwhile. */
    server: new OwnerSignIn({
      book: books.owner,
      crypto: nodeOAuthCrypto,
      nowMs: Date.now,
      cost,
      names: [],
    }),
    /** What the command prints; the state is in another folder on Windows. */
    async owner(words: string, input = ''): Promise<string> {
      const out = new PassThrough();
      const stdin = new PassThrough();
      stdin.end(input);
      const code = await run({
        argv: ['owner', ...words.split(' ')],
        env: all,
        currentFolder: folder,
        stdin: stdin as unknown as Shell['stdin'],
        stdout: out as unknown as Shell['stdout'],
        stderr: out as unknown as Shell['stderr'],
        version: '1.2.3',
        entryFile: '/nonexistent',
        signal: new AbortController().signal,
      });
      const text = String(out.read() ?? '').replaceAll(shownStateFolder(all), '~/state/vaultdoor');
      return `${text}[exit ${code}]`;
    },
  };
}

const grant: Grant = {
  id: 'g0123456789abcdef',
  client: { id: 'c', name: 'Client', kind: 'registered', answersTo: 'this computer' },
  vaults: ['/notes'],
  resource: 'https://vault.example.com/mcp',
  createdMs: Date.now(),
  effects: ['read'],
  folders: [''],
  tools: ['notes'],
  pairs: [],
};

describe('vaultdoor owner', () => {
  it('sets the passphrase from stdin, also with --vault, while a server runs', async () => {
    const { owner, server, state } = home({
      VAULTDOOR_PUBLIC_URL: 'https://vault.example.com/mcp, https://example.org/notes/',
    });
    const two = `${passphrase}\n${passphrase}\n`;
    expect(await owner('set --vault /nonexistent', two)).toBe(
      [
        'The passphrase is set.',
        'Sign in at https://vault.example.com/owner',
        'Sign in at https://example.org/notes/owner',
        'This is about servers that keep their state in ~/state/vaultdoor.',
        '[exit 0]',
      ].join('\n'),
    );
    const signedIn = await server.signIn({ passphrase });
    expect(signedIn).toHaveProperty('cookie');
    expect(readdirSync(state)).not.toContain('oauth.json');
    const file = join(state, 'owner.json');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(passphrase);

    expect(await owner('set --passphrase-file passphrase.txt --json')).toBe(
      '{\n  "set": true\n}\n[exit 0]',
    );
    const { cookie } = signedIn as { cookie: string };
    expect(await server.session(cookie)).toBeUndefined();
  });

  it.each([
    ['set', 'short\nshort\n', 'must have at least 12 characters', 2],
    ['set', 'vault.example.com\nvault.example.com\n', 'name of the server', 2],
    ['set', `${passphrase}\nfour words of nine\n`, 'are not the same; nothing was set', 2],
    ['set', '', 'twice, as two lines on stdin, or with --passphrase-file', 2],
    ['set --passphrase-file none.txt', '', '--passphrase-file: ', 3],
    ['set --passphrase-file two.txt', '', 'as its only line', 2],
    ['forget', '', 'must be followed by set, show, reset or code', 2],
  ])('%s with %j is refused', async (words, input, message, code) => {
    const { owner, state } = home({ VAULTDOOR_PUBLIC_URL: 'https://vault.example.com' });
    const printed = await owner(words, input);
    expect(printed).toContain(message);
    expect(printed).toContain(`[exit ${code}]`);
    expect(printed).not.toContain('four words');
    expect(existsSync(join(state, 'owner.json'))).toBe(false);
  });

  it('shows since when there is an owner, passkeys and sessions, and no hashes', async () => {
    const { owner, server } = home();
    expect(await owner('show')).toContain('There is no owner yet.');
    expect(await owner('show --json')).toBe('{\n  "hasOwner": false\n}\n[exit 0]');
    await server.setPassphrase(passphrase);
    expect(await owner('show')).toMatch(
      /^The passphrase was set \d{4}-.*\.\nThere are no passkeys\.\nNo browser is signed in\.\nThis is about servers that keep their state in ~\/state\/vaultdoor\.\n\[exit 0\]$/,
    );
    await server.signIn({ passphrase });
    const shown = await owner('show');
    expect(shown).toMatch(/\n1 browser signed in:\n {2}since \d{4}-.*, last used .*\n/);
    const json = await owner('show --json');
    expect(json).toContain('"signedInMs"');
    expect(json).not.toMatch(/sha256|hash|salt|deviceKey/);
  });

  it('prints a set-up code, with which a running server sets up the owner', async () => {
    const { owner, server } = home({ VAULTDOOR_PUBLIC_URL: 'https://vault.example.com' });
    const printed = await owner('code');
    expect(printed).toMatch(
      /^vaultdoor: No server runs that keeps its state in ~\/state\/vaultdoor\..*\nSet-up code: (\w{4}-){4}\w{4}\nEnter it within 30 minutes at https:/,
    );
    expect(printed).toContain('https://vault.example.com/owner/set-up.\n');
    const code = /(\w{4}-){4}\w{4}/.exec(printed)?.[0] ?? '';
    expect(code).not.toBe('');
    expect(await server.setUp({ code, passphrase })).toHaveProperty('cookie');
    expect(await owner('code')).toMatch(
      /has an owner already; "vaultdoor owner set".*\n\[exit \d\]/,
    );
  });

  it('resets the owner; clients stay connected unless --revoke is given', async () => {
    const { owner, server, oauth } = home();
    await server.setPassphrase(passphrase);
    await oauth.change(grant.id, () => ({ keep: grant, answer: undefined }));
    expect(await owner('reset')).toContain('Apps that were allowed stay connected');
    expect(await server.hasOwner()).toBe(false);
    expect(await oauth.grant(grant.id)).toEqual(grant);
    const key = await oauth.key();
    expect(await owner('reset --revoke')).toContain('1 connection of apps ended.');
    expect((await oauth.grant(grant.id))?.ended).toMatchObject({ why: 'revoked' });
    expect(await owner('reset --revoke --json')).toContain('"revoked": 0');
    expect(await owner('reset')).toContain('There was no owner.');
    expect(await oauth.key()).toEqual(key);
  });
});
