import { describe, expect, it } from 'vitest';
import { clients } from './client-places.ts';
import { hideValues } from './hide-values.ts';
import { type InstallRequest, othersText, planInstall, staleTexts } from './plan-install.ts';
import { planUninstall, whyBackupNeeded } from './plan-uninstall.ts';
import { isSameSpelling } from './server-entry.ts';

const file = '/c/config.json';
const work = { name: 'Work', path: '/v/Work' };
const home = { name: 'Home', path: '/v/Home' };
const isSameVault = (a: string, b: string) => isSameSpelling(a, b, 'linux');
const install: InstallRequest = {
  client: clients['claude-desktop'],
  vaults: [work],
  node: '/n/node',
  script: '/x/dist/vaultdoor.js',
  flagsFor: (existing) => existing,
  isSameVault,
};
const uninstall: Parameters<typeof planUninstall>[1] = {
  section: 'mcpServers',
  vaults: [],
  isSameVault,
  backups: [],
};
const other =
  '{\n  "mcpServers": {\n    "o": { "command": "x", "env": { "KEY": "secret" } }\n  }\n}\n';

function installed(text: string | undefined, change: Partial<InstallRequest> = {}) {
  return planInstall({ file, text }, { ...install, ...change });
}
function uninstalled(text: string, change: Partial<Parameters<typeof planUninstall>[1]> = {}) {
  return planUninstall({ file, text }, { ...uninstall, ...change });
}

describe('planInstall', () => {
  it('writes absolute paths and the vault as a variable', () => {
    const { text, entries } = installed(undefined);
    expect(JSON.parse(text)).toEqual({
      mcpServers: {
        vaultdoor: {
          command: '/n/node',
          args: ['/x/dist/vaultdoor.js', 'stdio'],
          env: { OBSIDIAN_VAULT_PATH: '/v/Work' },
        },
      },
    });
    expect(entries).toEqual([{ name: 'vaultdoor', vault: '/v/Work', did: 'added' }]);
  });

  it('names the servers of other programs that work on the same vault', () => {
    const servers = {
      obsidian: { command: 'npx', args: ['@bitbonsai/mcpvault@latest', '/v/Work'] },
      files: { command: 'fs', env: { FOLDER: '/v/Work' } },
      elsewhere: { command: 'npx', args: ['x', '/v/Other'] },
    };
    const plan = installed(JSON.stringify({ mcpServers: servers }));
    expect(plan.others).toEqual(['obsidian', 'files']);
    expect(othersText([plan, installed(undefined)])).toEqual([
      expect.stringContaining('"obsidian", "files" in the same file also work on this vault.'),
    ]);
    expect(othersText([installed(other)])).toEqual([]);
  });

  it('says the type and uses "servers" for VS Code', () => {
    const { text } = installed('', { client: clients.vscode, flagsFor: () => ['--read-only'] });
    expect(JSON.parse(text)).toEqual({
      servers: {
        vaultdoor: {
          type: 'stdio',
          command: '/n/node',
          args: ['/x/dist/vaultdoor.js', 'stdio', '--read-only'],
          env: { OBSIDIAN_VAULT_PATH: '/v/Work' },
        },
      },
    });
  });

  it('has one entry for each vault, and leaves others alone', () => {
    const { text, entries } = installed(other, { vaults: [work, home] });
    expect(entries.map(({ name }) => name)).toEqual(['vaultdoor', 'vaultdoor-home']);
    expect(text).toContain('"o": { "command": "x", "env": { "KEY": "secret" } },\n');
    expect(installed(text, { vaults: [home, work] })).toEqual({
      text,
      entries: [
        { name: 'vaultdoor-home', vault: '/v/Home', did: 'unchanged' },
        { name: 'vaultdoor', vault: '/v/Work', did: 'unchanged' },
      ],
      others: [],
    });
  });

  it('brings an entry for the same vault up to date, and keeps what else it says', () => {
    const text =
      '{"mcpServers": {"mine": {"command": "old", "disabled": true, "args": ["/old/vaultdoor.js", "stdio", "--read-only"], "env": {"A": "b", "OBSIDIAN_VAULT_PATH": "/v/Work/"}}}}';
    const plan = installed(text);
    expect(plan.entries).toEqual([
      { name: 'mine', vault: '/v/Work', did: 'updated', options: ['--read-only'] },
    ]);
    expect(plan.text).toBe(
      text
        .replace('"old"', '"/n/node"')
        .replace(
          '["/old/vaultdoor.js", "stdio", "--read-only"]',
          '["/x/dist/vaultdoor.js","stdio","--read-only"]',
        ),
    );
  });

  it('finds the vault of an entry also in its flags, and writes it as a variable', () => {
    const text =
      '{"mcpServers": {"mine": {"command": "vaultdoor", "args": ["stdio", "--vault", "/v/Work", "--read-only"]}}}';
    const plan = installed(text);
    expect(plan.entries).toEqual([
      { name: 'mine', vault: '/v/Work', did: 'updated', options: ['--read-only'] },
    ]);
    expect(JSON.parse(plan.text).mcpServers.mine).toEqual({
      command: '/n/node',
      args: ['/x/dist/vaultdoor.js', 'stdio', '--read-only'],
      env: { OBSIDIAN_VAULT_PATH: '/v/Work' },
    });
    const moved = installed(text, { entryName: 'mine', vaults: [home] });
    expect(moved.text).not.toContain('/v/Work');
    expect(uninstalled(text, { vaults: ['/v/Work'] }).entries).toHaveLength(1);
  });

  describe('where the vault of an entry does not exist', () => {
    const entry = (path: string, flag: string) =>
      `{"command": "node", "args": ["/x/vaultdoor.js", "stdio", "${flag}"], "env": {"OBSIDIAN_VAULT_PATH": "${path}"}}`;
    const looks = {
      isGone: (path: string) => !path.startsWith('/v/') || path === '/v/Wrok',
      isMoved: (from: string) => from === '/v/Wrok',
    };

    it('corrects the path of an entry that seems to be meant, and keeps its options', () => {
      const text = `{"mcpServers": {"mine": ${entry('/v/Wrok', '--propose')}}}`;
      const plan = installed(text, looks);
      expect(plan.entries).toEqual([
        {
          name: 'mine',
          vault: '/v/Work',
          did: 'updated',
          movedFrom: '/v/Wrok',
          options: ['--propose'],
        },
      ]);
      expect(JSON.parse(plan.text).mcpServers.mine).toMatchObject({
        args: ['/x/dist/vaultdoor.js', 'stdio', '--propose'],
        env: { OBSIDIAN_VAULT_PATH: '/v/Work' },
      });
      expect(plan.stale).toBeUndefined();
      const byOther = text.replace('OBSIDIAN_VAULT_PATH', 'VAULT_PATH');
      expect(JSON.parse(installed(byOther, looks).text).mcpServers.mine.env).toEqual({
        OBSIDIAN_VAULT_PATH: '/v/Work',
        VAULT_PATH: '/v/Work',
      });
    });

    it('adds an entry beside any other, and says what would be lost', () => {
      const text = `{"mcpServers": {"mine": ${entry('/usb/Work', '--propose')}}}`;
      const plan = installed(text, looks);
      expect(plan.entries).toEqual([{ name: 'vaultdoor', vault: '/v/Work', did: 'added' }]);
      expect(plan.text).toContain('/usb/Work');
      expect(staleTexts([plan], 'cursor', '/v/Work')).toEqual([
        '"mine" is for "/usb/Work", which does not exist, and stays as it is. If that is the same vault, correct that entry, with its options (--propose), in place of adding one: vaultdoor install cursor --name mine --vault /v/Work',
      ]);
      const two = `{"mcpServers": {"a": ${entry('/v/Wrok', '--propose')}, "b": ${entry('/v/Wrok', '--read-only')}}}`;
      expect(installed(two, looks).entries[0]?.did).toBe('added');
    });
  });

  it('reads a string of a million escapes', () => {
    const text = JSON.stringify({ history: '\n'.repeat(1_000_000) });
    expect(JSON.parse(installed(text).text).mcpServers).toHaveProperty('vaultdoor');
  });

  it('uses the name it is given, but never one of another server', () => {
    expect(installed(other, { entryName: 'notes' }).entries[0]?.name).toBe('notes');
    expect(() => installed(other, { entryName: 'o' })).toThrow(/another server called "o"/);
    const moved = installed(installed(other).text, { entryName: 'vaultdoor', vaults: [home] });
    expect(moved.entries).toEqual([{ name: 'vaultdoor', vault: '/v/Home', did: 'updated' }]);
    expect(moved.text).not.toContain('/v/Work');
  });

  it.each([
    ['{"mcpServers": {', /not valid JSON \(line 1, at its end\)/],
    ['{"a": {"KEY": "secret" "b": 1}}\n', /not valid JSON \(line 1, column 24\)/],
    ['\n{"a" 1}', /not valid JSON \(line 2, column 6\)/],
    ['{\n  "a": 1\n  "b": 2\n}', /not valid JSON \(line 2 or 3\)/],
    ['{\n  "a": 1,\n  "b" 2\n}', /not valid JSON \(line 3\)/],
    ['{\n  "a": 1,\n  "b\n', /not valid JSON \(line 3\)/],
    ['{\n  "a": {\n\n', /not valid JSON \(line 2\)/],
    ['[]', /not a JSON object/],
    ['{"mcpServers": []}', /under "mcpServers" that is not an object/],
    ['{} /* no end', /not valid JSON/],
    ['{"mcpServers": {"a": 1, "a": 2}}', /has "a" twice/],
    ['{"mcpServers": {}, "mcpServers": {}}', /has "mcpServers" twice/],
  ])('refuses %j', (text, message) => {
    expect(() => installed(text)).toThrow(message);
  });
});

describe('planUninstall', () => {
  it.each([
    '',
    '{}',
    '{ }\n',
    '{\n}\n',
    '{"a":1}',
    '{\n  "mcpServers": {}\n}',
    '{\n  "mcpServers": {\n  }\n}',
    '\ufeff{\r\n\t"mcpServers": {\r\n\t\t"o": {},\r\n\t},\r\n}\r\n',
    other,
  ])('gives back %j byte for byte', (before) => {
    const once = installed(before).text;
    const twice = installed(once, { vaults: [home], flagsFor: () => ['--read-only'] }).text;
    const { text, entries } = uninstalled(twice, { backups: ['garbage', once, before] });
    expect(text).toBe(before);
    expect(entries).toMatchObject([
      { name: 'vaultdoor', did: 'removed' },
      { name: 'vaultdoor-home', did: 'removed' },
    ]);
  });

  it.each([
    ['made by us', undefined, [], true],
    ['made by us and changed by us', undefined, [installed(undefined).text], true],
    ['that was empty before', '', [''], undefined],
    ['with another server', other, [other], undefined],
    ['whose oldest backup has another server', undefined, [other], undefined],
  ])('removes a file %s: %j', (_, before, backups, removesFile) => {
    const { text } = installed(before, { flagsFor: () => ['--propose'] });
    expect(uninstalled(text, { backups }).removesFile).toBe(removesFile);
    expect(uninstalled(text, { backups, vaults: ['/v/none'] }).removesFile).toBeUndefined();
  });

  it('puts servers back that setup has taken out, also where something else has changed', () => {
    const ours = installed(other);
    const { text } = uninstalled(ours.text, { entryName: 'o' });
    expect(text).not.toContain('secret');
    const backups = [other, ours.text];
    const entry = { command: 'x', env: { KEY: 'secret' } };
    const takenOut = [['o', entry]] as const;
    expect(uninstalled(text, { backups, takenOut }).text).toBe(other);
    const edited = text.replace('{', '{\n  "theme": "dark",');
    const plan = uninstalled(edited, { backups, takenOut });
    expect(JSON.parse(plan.text)).toEqual({ theme: 'dark', mcpServers: { o: entry } });
    expect(plan.entries).toMatchObject([
      { name: 'vaultdoor', did: 'removed' },
      { name: 'o', did: 'put back' },
    ]);
    const alone = uninstalled('{}', { takenOut });
    expect(JSON.parse(alone.text)).toEqual({ mcpServers: { o: entry } });
  });

  it('leaves out what was removed by hand, and an entry whose name is taken again', () => {
    const ours = installed(other);
    const { text } = uninstalled(ours.text, { entryName: 'o' });
    const plan = uninstalled(text, { backups: [other, ours.text] });
    expect(JSON.parse(plan.text)).toEqual({ mcpServers: {} });
    const theirs = uninstalled(ours.text, { takenOut: [['o', { command: 'old' }]] });
    expect(theirs.text).toContain('secret');
    expect(theirs.entries).toMatchObject([{ name: 'vaultdoor' }]);
  });

  it.each([
    ['{}', { theme: 'dark' }],
    ['', { theme: 'dark' }],
    ['{\n  "mcpServers": {}\n}', { theme: 'dark', mcpServers: {} }],
  ])(
    'removes the section of a file %j that has changed otherwise, if it was made for us',
    (before, after) => {
      const edited = installed(before).text.replace('{', '{\n  "theme": "dark",');
      const { text, removesFile } = uninstalled(edited, { backups: [before] });
      expect(JSON.parse(text)).toEqual(after);
      expect(removesFile).toBeUndefined();
    },
  );

  it('removes the section of a file that setup has made and the app has changed', () => {
    const edited = installed(undefined).text.replace('{', '{\n  "theme": "dark",');
    expect(JSON.parse(uninstalled(edited).text)).toEqual({ theme: 'dark' });
    const byHand =
      '{"mcpServers": {"n": {"command": "vaultdoor", "args": ["stdio", "--vault", "/v"]}}}';
    expect(JSON.parse(uninstalled(byHand).text)).toEqual({ mcpServers: {} });
    const noted = edited.replace('"mcpServers": {', '"mcpServers": { // mine');
    expect(uninstalled(noted).text).toContain('// mine');
  });

  it('removes the one that is named or those of a vault, and otherwise only ours', () => {
    const { text } = installed(other, { vaults: [work, home] });
    const names = (change: Partial<Parameters<typeof planUninstall>[1]>) =>
      uninstalled(text, change).entries.map(({ name }) => name);
    expect(names({})).toEqual(['vaultdoor', 'vaultdoor-home']);
    expect(names({ vaults: ['/v/Home/'] })).toEqual(['vaultdoor-home']);
    expect(names({ vaults: ['/v/none'] })).toEqual([]);
    expect(names({ entryName: 'o' })).toEqual(['o']);
    expect(names({ entryName: 'x' })).toEqual([]);
    expect(uninstalled(other).text).toBe(other);
  });
});

describe('whyBackupNeeded', () => {
  const byHand =
    '{"mcpServers": {"n": {"command": "vaultdoor", "args": ["stdio", "--vault", "/v"]}}, "a": 1}';
  it.each([
    ['the same text', other, other, true, undefined],
    ['our entry more', installed(other).text, other, true, /^it has "vaultdoor" as it was/],
    ['our entry more, made by setup', installed(other).text, other, false, undefined],
    [
      'an entry that was made by hand',
      byHand,
      '{"mcpServers": {}, "a": 1}',
      true,
      /^it has "n" as/,
    ],
    ['a server that is gone', other, '{}', false, /something else in the file has changed/],
    ['another value', '{"starts": 12}', '{"starts": 13}', true, /something else/],
    ['a comment that is gone', '{ // mine\n}', '{}', true, /something else/],
    ['only ours, where the file is gone', installed(undefined).text, undefined, true, undefined],
    ['more than ours, where the file is gone', byHand, undefined, false, /something else/],
    ['no JSON', 'oops', '{}', true, /something else/],
  ])('a backup with %s', (_, backup, text, isBeforeUs, why) => {
    const found = whyBackupNeeded(
      { text: backup, isBeforeUs },
      { file, section: 'mcpServers', text },
    );
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(why);
  });
});

describe('hideValues', () => {
  it('shows our entry, and of others only the keys', () => {
    const { text } = installed(other.replace('{', '{ // token abc'));
    const shown = hideValues(text, 'mcpServers');
    expect(shown).not.toMatch(/secret|abc/);
    expect(shown).toContain('"KEY": "…"');
    expect(shown).toContain('"OBSIDIAN_VAULT_PATH": "/v/Work"');
    expect(shown).toContain('"/x/dist/vaultdoor.js"');
  });

  it('shows no address with a key in our own entry', () => {
    const args = '"v/vaultdoor.js", "stdio", "--notify", "ntfy:secret", "--sync-remote=secret"';
    const text = `{"mcpServers": {"v": {"command": "node", "args": [${args}, "--read-only"]}}}`;
    expect(hideValues(text, 'mcpServers')).toContain(
      '["v/vaultdoor.js", "stdio", "--notify", "…", "…", "--read-only"]',
    );
  });

  it('shows no argument and no number of others, also where theirs starts us in its own way', () => {
    const wrapped = '{"command": "env", "args": ["KEY=secret", "vaultdoor", "stdio"]}';
    const text = `{"mcpServers": {"w": ${wrapped}, "o": {"args": ["secret"], "pin": 1234, "off": true}}}`;
    expect(hideValues(text, 'mcpServers')).toBe(
      '{"mcpServers": {"w": {"command": "…", "args": ["…", "…", "…"]}, "o": {"args": ["…"], "pin": …, "off": true}}}',
    );
  });
});
