import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import type { Logger } from '../../src/base/logger.ts';
import { RemoteDoor } from '../../src/doors/remote/remote-door.ts';
import { IndexKeeper } from '../../src/engine/index/index-keeper.ts';
import { Vault } from '../../src/engine/open/vault.ts';
import type { Watcher } from '../../src/engine/ports/ports.ts';
import { SharedWatcher } from '../../src/engine/watch/shared-watcher.ts';
import { openNodeDisk } from '../../src/node/disk/node-disk.ts';
import { openThumbnails } from '../../src/node/pictures/thumbnails.ts';
import { openRawDisk } from '../../src/node/raw/raw-disk.ts';
import { openLocalScanner } from '../../src/node/scan/local-scanner.ts';
import { openScanSource } from '../../src/node/scan/scan-source.ts';
import { listenLocal } from '../../src/node/server/local-socket.ts';
import {
  nodeBase64,
  nodeClock,
  nodeHash,
  nodeRandom,
  nodeTimers,
  nodeTurn,
} from '../../src/node/system/node-ports.ts';
import { type VaultWatch, watchVault } from '../../src/node/watch/watch-vault.ts';
import { openSqliteIndex } from '../../src/sqlite/index/sqlite-index-store.ts';
import { fsToolset } from '../../src/tools/fs/fs-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { openLocalMatcher } from './local-matcher.ts';
import { memoryState } from './memory-state.ts';
import { RemoteWire } from './remote-wire.ts';
import { bundle } from './run-cli.ts';
import { tempFolder, writeFiles } from './temp-folder.ts';

/** The remote door on a vault of its own, in this process: every part as it ships, but no thread. */
export interface OpenRemoteDoor {
  readonly vault: string;
  /** A folder beside it that no path of the protocol may reach. */
  readonly outside: string;
  readonly socket: string;
  readonly token: string;
  readonly whole: Vault;
  readonly door: RemoteDoor;
  /** Someone who has not said the token. */
  connect(): Promise<RemoteWire>;
  /** Someone who has. */
  enter(): Promise<RemoteWire>;
  close(): Promise<void>;
}

/** What a test may choose. */
export interface RemoteDoorChoice
  extends Partial<Pick<ConstructorParameters<typeof RemoteDoor>[0], 'limits' | 'timers'>> {
  readonly files?: Readonly<Record<string, string>>;
  /** Pictures are made, in a thread of the built program. */
  readonly thumbnails?: boolean;
  /** A test that runs beside others gives its own. */
  readonly onFinished?: (end: () => Promise<void> | void) => void;
}

const silent: Logger = { log: () => undefined };
const token = '0123456789abcdef'.repeat(4);

/** Opens one; it is closed when the test is over. */
export async function openRemoteDoor(choice: RemoteDoorChoice = {}): Promise<OpenRemoteDoor> {
  const { files = {}, thumbnails = false, onFinished = onTestFinished, ...options } = choice;
  const base = tempFolder(
    { 'outside/secret.md': 'secret', 'outside/deep/deeper.md': 'deep' },
    onFinished,
  );
  const root = join(base, 'vault');
  mkdirSync(root);
  writeFiles(root, files);
  const whole = await openVaultHere(root, { base, thumbnails });
  const service = createService(whole, [fsToolset({ thumbnails, search: true })], nodeTimers);
  const door = new RemoteDoor({
    service,
    logger: silent,
    version: '0.0.0-test',
    vaultRoot: root,
    token,
    scopes: allScopes,
    timers: nodeTimers,
    ...options,
  });
  const socket = join(base, 'server.sock');
  const listener = await listenLocal({
    path: socket,
    alone: (work) => work(),
    onConnection: (each) => door.accept(each),
    says: { taken: 'taken', shorter: 'shorter' },
  });
  const wires = new Set<RemoteWire>();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      for (const wire of wires) wire.destroy();
      await listener.close();
      await door.close({ waitMs: 5_000 });
      await whole.close();
    })();
    return closing;
  };
  onFinished(close);
  const connect = async (): Promise<RemoteWire> => {
    const wire = await RemoteWire.connect(socket);
    wires.add(wire);
    return wire;
  };
  const enter = async (): Promise<RemoteWire> => {
    const wire = await connect();
    await wire.result('auth', { token });
    return wire;
  };
  const outside = join(base, 'outside');
  return { vault: root, outside, socket, token, whole, door, connect, enter, close };
}

async function openVaultHere(
  root: string,
  { base, thumbnails }: { readonly base: string; readonly thumbnails: boolean },
): Promise<Vault> {
  const disk = openNodeDisk(root);
  const source = openScanSource(root, { allowRoots: [] });
  const scanner = openLocalScanner({ source, clock: nodeClock });
  const watcher = new SharedWatcher(watcherHere(root, join(base, 'marker')));
  const openStore = () => openSqliteIndex({ file: ':memory:' });
  // Nobody starts it: it begins when it is asked, as that of the daemon does.
  const keeper = new IndexKeeper({
    disk,
    scanner,
    watcher,
    clock: nodeClock,
    timers: nodeTimers,
    openStore,
  });
  const { state, lock, questions, proposals, dayTotals } = (await memoryState()).open();
  const maker = thumbnails
    ? openThumbnails({ entryFile: bundle, cacheFolder: join(base, 'thumbs') })
    : undefined;
  return new Vault({
    name: 'test',
    location: root,
    disk,
    scanner,
    matcher: openLocalMatcher(source),
    keeper,
    watcher,
    files: openRawDisk(root, { check: () => disk.check() }),
    ...(maker === undefined ? {} : { thumbnails: maker }),
    clock: nodeClock,
    timers: nodeTimers,
    turn: nodeTurn,
    hash: nodeHash,
    base64: nodeBase64,
    random: nodeRandom,
    state,
    lock,
    questions,
    proposals,
    dayTotals,
    openScratchIndex: openStore,
  });
}

/** The watcher of the program, on this thread. */
function watcherHere(root: string, markerFolder: string): Watcher {
  let watching: VaultWatch | undefined;
  return {
    async start(listener) {
      mkdirSync(markerFolder, { recursive: true });
      watching = watchVault({ root, poll: 'auto', markerFolder }, listener);
    },
    flush: async () => watching?.flush(),
    close: async () => watching?.close(),
  };
}
