import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { openedVault, type VaultSource } from '../../engine/open/vault-source.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import { readStdioOptions } from '../options/stdio-options.ts';
import { AttachAdmission } from './attach-admission.ts';
import { type Hello, helloOf } from './attach-protocol.ts';

const version = '1.2.3';
const currentFolder = '/home/anna';

async function source(name: string, location: string): Promise<VaultSource> {
  const { whole } = await openWrittenVault(
    { 'A.md': `in ${name}\n`, 'Private/B.md': 'b\n', 'Diary/C.md': 'c\n' },
    { parts: { name, location } },
  );
  return openedVault(whole);
}

const away: VaultSource = {
  name: 'Away',
  clock: nodeClock,
  open: () => Promise.reject(new VaultError('vault_not_found', 'Connect the drive.')),
};

/** A server of "Notes", "Work", and one that is away, with these options. */
async function serverOf(
  argv: readonly string[] = [],
  parts: Partial<ConstructorParameters<typeof AttachAdmission>[0]> = {},
): Promise<AttachAdmission> {
  return new AttachAdmission({
    version,
    options: readStdioOptions(argv),
    currentFolder: '/srv',
    scopes: allScopes,
    vaults: [away, await source('Notes', '/real/Notes'), await source('Work', '/real/Work')],
    timers: nodeTimers,
    ...parts,
  });
}

/** What a program says that was started with these options. */
function hello(argv: readonly string[] = [], changed: object = {}): string {
  const said: Hello = helloOf({
    version,
    options: readStdioOptions(argv),
    choices: [{ name: 'Notes', path: '/link/Notes' }],
    vaults: [{ name: 'Notes', path: '/real/Notes' }],
    currentFolder,
  });
  return JSON.stringify({ ...said, ...changed });
}

describe('a program that shares a server', () => {
  it.each<[string[], string[], string[]]>([
    [[], ['read_note', 'update_note', 'undo_change'], ['obsidian_read_note', 'note_read']],
    [['--no-history-tools'], ['read_note'], ['undo_change']],
    [['--read-only'], ['read_note'], ['update_note']],
    [['--tools', 'obsidian'], ['obsidian_read_note'], ['read_note']],
    [['--tools', 'agent'], ['note_read'], ['read_note', 'vault_sync', 'adr_publish']],
  ])('is served its own tools with %j', async (argv, has, hasNot) => {
    const server = await serverOf(['--tools', 'agent', '--tag-policy', 'off']);
    const { service, scopes } = await server.admit(hello(argv));
    const names = service.list(scopes.effects).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(has));
    expect(names.filter((name) => hasNot.includes(name))).toEqual([]);
    expect(service.vaults).toEqual(['Notes']);
  });

  it('is answered from its own vaults, in its own order', async () => {
    const vaults = [
      { name: 'Work', path: '/real/Work' },
      { name: 'Notes', path: '/real/Notes' },
    ];
    const { service } = await (await serverOf()).admit(hello([], { vaults }));
    expect(service.vaults).toEqual(['Work', 'Notes']);
    const one = await (await serverOf()).admit(hello());
    const answer = await one.service.call('read_note', { name: 'A' }, testCaller());
    expect(JSON.stringify(answer.content)).toContain('in Notes');
  });

  it('has its own time for calls', async () => {
    const argv = ['--timeout', '5', '--timeout', 'search_notes=60'];
    const { deadlineMs } = await (await serverOf(['--timeout', '1'])).admit(hello(argv));
    expect([deadlineMs(), deadlineMs('read_note'), deadlineMs('search_notes')]).toEqual([
      5_000, 5_000, 60_000,
    ]);
  });

  it.each<[string[], object, object]>([
    [[], {}, { effects: ['read', 'write', 'destroy'], hide: [] }],
    [['--read-only', '--hide', 'Diary'], {}, { effects: ['read'], hide: ['Diary'] }],
    [
      ['--hide', '/link/Notes/Diary'],
      { effects: ['read'], hide: ['Private'] },
      { effects: ['read'], hide: ['Private', 'Diary'] },
    ],
    [
      ['--read-only', '--hide-tag', 'b', '--hide-property', 'c=d'],
      { effects: ['read', 'propose'], hideTags: ['a'], hideProperties: ['a=b'] },
      { effects: ['read'], hideTags: ['a', 'b'], hideProperties: ['a=b', 'c=d'] },
    ],
  ])(
    'with %j may do what the server allows (%j), and no more than it asked for',
    async (argv, limited, scopes) => {
      const server = await serverOf([], { scopes: { ...allScopes, ...limited } });
      expect((await server.admit(hello(argv))).scopes).toMatchObject(scopes);
    },
  );

  it.each<[argv: string[], own: number | undefined, brakeFiles: number | undefined]>([
    [[], undefined, undefined],
    [[], 100, 100],
    [['--brake', '10'], undefined, 10],
    [['--brake', '10'], 100, 10],
    [['--brake', '100'], 10, 10],
    [['--brake', 'off'], 10, 10],
  ])('with %j has the brake of the server (%j), or its own if that is lower', async (...row) => {
    const [argv, own, brakeFiles] = row;
    const limited = own === undefined ? allScopes : { ...allScopes, brakeFiles: own };
    const { scopes } = await (await serverOf([], { scopes: limited })).admit(hello(argv));
    expect(scopes.brakeFiles).toBe(brakeFiles);
  });

  it('shares a service with those of the same options, as long as one is there', async () => {
    const server = await serverOf();
    const first = await server.admit(hello());
    const second = await server.admit(hello(['--read-only', '--timeout', '1', '--hide', 'X']));
    const other = await server.admit(hello(['--tag-policy', 'off']));
    expect(second.service).toBe(first.service);
    expect(other.service).not.toBe(first.service);
    first.release();
    expect((await server.admit(hello())).service).toBe(second.service);
    second.release();
    other.release();
    expect((await server.admit(hello(['--tag-policy', 'off']))).service).not.toBe(other.service);
  });
});

describe('a program serves itself', () => {
  const sync = ['--tools', 'agent', '--sync', 'pull', '--sync-remote', 'drive:a'];
  const publish = ['--tools', 'agent', '--adr-repo', '/code'];

  it.each<[string, string[], string, string]>([
    ['that is of another version', [], hello([], { version: '1.2.4' }), '1.2.3 and this is 1.2.4'],
    ['that says something else', [], '{"jsonrpc":"2.0"}', 'not understand this greeting'],
    ['that says no JSON', [], 'GET / HTTP/1.1', 'not understand this greeting'],
    ['with an option that is not known', [], hello([], { new: 1 }), 'not know all'],
    ['with a value that is not known', [], hello([], { tools: ['x'] }), 'not know all'],
    ['without a vault', [], hello([], { vaults: [] }), 'not know all'],
    [
      'with two vaults of one name',
      [],
      hello([], { vaults: Array(2).fill({ name: 'Notes', path: '/real/Notes' }) }),
      'not know all',
    ],
    [
      'whose vault is another',
      [],
      hello([], { vaults: [{ name: 'Notes', path: '/real' }] }),
      'does not serve the vault "Notes"',
    ],
    [
      'one of whose vaults is another',
      [],
      hello([], {
        vaults: [
          { name: 'Notes', path: '/real/Notes' },
          { name: 'X', path: '/real/X' },
        ],
      }),
      'does not serve the vault "X"',
    ],
    [
      'that calls the vault by another name',
      [],
      hello([], { vaults: [{ name: 'mine', path: '/real/Notes' }] }),
      'to share it, give "--vault Notes=<folder>"',
    ],
    ['that allows more', [], hello(['--allow-root', '/a']), '"--allow-root"'],
    ['that allows less', ['--allow-root', '/a'], hello(), '"--allow-root"'],
    ['that polls', [], hello(['--poll', 'always']), '"--poll"'],
    ['that logs what is read', [], hello(['--log-reads']), '"--log-reads"'],
    ['that tells its owner', [], hello(['--notify', 'http://a/b']), '"--notify"'],
    [
      'that tells its owner elsewhere',
      ['--notify-command', 'tell'],
      hello(['--notify', 'http://a/b']),
      '"--notify"',
    ],
    ['that syncs', [], hello(sync), '"--sync"'],
    ['that syncs elsewhere', [...sync, '--sync-remote', 'drive:b'], hello(sync), '"--sync"'],
    ['that publishes', [], hello(publish), '"--adr-repo"'],
    [
      'that publishes from another folder',
      ['--tools', 'agent', '--adr-repo', 'code'],
      hello(['--tools', 'agent', '--adr-repo', 'code']),
      '"--adr-repo"',
    ],
    ['with the time of an unknown tool', [], hello(['--timeout', 'frob=3']), '"frob"'],
  ])('%s', async (_which, argv, line, says) => {
    const failure = await failureOf((await serverOf(argv)).admit(line));
    expect(failure.message).toContain(says);
  });

  it('of whose server another vault hangs is answered all the same', async () => {
    const timers = manualTimers();
    const hanging: VaultSource = { ...away, open: () => new Promise(() => undefined) };
    const vaults = [hanging, await source('Notes', '/real/Notes')];
    const server = await serverOf([], { timers, vaults });
    const admitted = server.admit(hello());
    const other = failureOf(server.admit(hello([], { vaults: [{ name: 'Away', path: '/a' }] })));
    await new Promise(setImmediate);
    timers.advance(limits.helloMs / 2);
    expect((await admitted).service.vaults).toEqual(['Notes']);
    expect((await other).message).toContain('does not serve the vault "Away"');
  });

  it.each<[string[], string[]]>([
    [
      ['--allow-root', '/b', '--allow-root', '/srv/a'],
      ['--allow-root', '/srv/a', '--allow-root=/b'],
    ],
    [['--poll', 'always'], []],
    [['--log-reads', '--notify', 'http://a/b'], []],
    [
      ['--log-reads', '--notify', 'http://a/b'],
      ['--notify', 'http://a/b', '--log-reads'],
    ],
    [sync, sync],
    [publish, publish],
    [
      [...sync, '--adr-repo', '/code'],
      ['--tools', 'agent'],
    ],
  ])('unless the server has what it asks for: %j for %j', async (argv, asked) => {
    const { service, scopes } = await (await serverOf(argv)).admit(hello(asked));
    const names = service.list(scopes.effects).map(({ name }) => name);
    expect(names.includes('vault_sync')).toBe(asked.includes('--sync'));
    expect(names.includes('adr_publish')).toBe(asked.includes('--adr-repo'));
  });
});
