import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { protocolErrorCodes, remoteErrorCodes } from '../../src/doors/remote/remote-errors.ts';
import { makePng } from '../support/make-png.ts';
import { openRemoteDoor } from '../support/remote-door.ts';
import { frame, type RemoteFrame, type RemoteWire } from '../support/remote-wire.ts';

const text = readFileSync(new URL('../../docs/remote.md', import.meta.url), 'utf8');

/** What the examples say, and what then comes: the reply, and notices. */
interface Example {
  readonly sent: string;
  readonly come: RemoteFrame[];
  readonly isStranger: boolean;
}

const examples: readonly Example[] = Array.from(
  text.matchAll(/^```json( new connection)?\n([\s\S]*?)^```$/gm),
  ([, marked, block = '']) => examplesIn(block.trimEnd().split('\n'), marked !== undefined),
).flat();

function examplesIn(lines: readonly string[], isStranger: boolean): Example[] {
  const found: Example[] = [];
  for (const line of lines) {
    const { method = 'fs.changed' } = line.startsWith('{')
      ? (JSON.parse(line) as RemoteFrame)
      : { method: '' };
    if (method === 'fs.changed') found.at(-1)?.come.push(JSON.parse(line) as RemoteFrame);
    else found.push({ sent: line, come: [], isStranger });
  }
  return found;
}

/** What differs from one machine and moment to another. */
const variable = ['mtime', 'mode', 'version', 'vaultRoot', 'subscriptionId', 'sourceSize'];

/** A message without what varies; of a text that is shown in part, that part. */
function settled(message: RemoteFrame): unknown {
  return JSON.parse(JSON.stringify(message), (name, value: unknown) => {
    if (variable.includes(name)) return typeof value;
    return name === 'contentBase64' ? String(value).slice(0, 16) : value;
  });
}

it('every example is what the daemon answers', async () => {
  const door = await openRemoteDoor({
    thumbnails: true,
    files: { 'notes/today.md': 'Call Ada.\n', 'notes/old.md': 'Old.\n' },
  });
  mkdirSync(join(door.vault, 'pictures'));
  writeFileSync(join(door.vault, 'pictures', 'swift.png'), makePng({ width: 32, height: 24 }));
  const member = await door.connect();
  const stranger = await door.connect();
  let subscription = '';
  for (const { sent, come, isStranger } of examples) {
    const wire: RemoteWire = isStranger ? stranger : member;
    const real = sent.replace(/"[0-9a-f]{64}"/, `"${door.token}"`);
    wire.send(frame(real.replace(/"[0-9a-f]{24}"/, `"${subscription}"`)));
    const seen: RemoteFrame[] = [];
    for (const { method } of come) seen.push(await wire.take((each) => each.method === method));
    expect(seen.map(settled), sent).toEqual(come.map(settled));
    const { subscriptionId } = (seen[0]?.result ?? {}) as { readonly subscriptionId?: string };
    subscription = subscriptionId ?? subscription;
  }
  expect(member.frames).toEqual([]);
  await stranger.closed;
});

it('every method has an example', () => {
  const info = examples.find(({ sent }) => sent.includes('server.info'));
  const answer = info?.come[0]?.result as { readonly capabilities: readonly string[] } | undefined;
  const capabilities = answer?.capabilities ?? [];
  const shown = examples.map(({ sent }) => /"method":"([\w.]+)"/.exec(sent)?.[1]);
  expect(capabilities.length).toBeGreaterThanOrEqual(25);
  expect(capabilities.filter((method) => !shown.includes(method))).toEqual([]);
});

it('the table of errors has every code that there is, and no other', () => {
  const documented = Array.from(text.matchAll(/^\| (-32\d{3}) \|/gm), ([, code]) => Number(code));
  const codes = [...Object.values(remoteErrorCodes), ...Object.values(protocolErrorCodes)];
  expect(documented.sort()).toEqual([...new Set(codes)].sort());
});

const mib = 1024 ** 2;

it.each([
  [`| ${limits.remoteMessageBytesMax / mib} MiB | a larger request closes the connection`],
  [`| ${limits.remoteHeadBytesMax / 1024} KiB | closed`],
  [`| ${limits.remoteReadBytesMax.toLocaleString('en')} bytes | -32602`],
  [`| ${limits.remoteAuthMs / 1000} s | closed`],
  [`| ${limits.remoteStrangersMax} | the oldest is closed`],
  [`| ${limits.remoteConnectionsMax.toLocaleString('en')} | closed`],
  [
    `| ${limits.requestsAtOnceMax.toLocaleString('en')}, or ${limits.remotePendingBytesMax / mib} MiB |`,
  ],
  [`| ${limits.remoteBulkCallsMax} | the others wait`],
  [`| ${limits.remoteWatchesMax.toLocaleString('en')} | -32602`],
  [
    `| ${limits.remoteUnreadNoticesMax.toLocaleString('en')} of which none is read for ${limits.remoteUnreadNoticesMs / 1000} s, or ${limits.remoteLateNoticesMax.toLocaleString('en')} | cut off`,
  ],
  [`| ${limits.remoteCallMs / 60_000} minutes | -32603`],
  [`| ${limits.walkEntries.toLocaleString('en')} unless`],
  [`${limits.walkEntriesMax.toLocaleString('en')} at most | \`truncated\``],
  [`| ${limits.batchStatMax.toLocaleString('en')} | -32602`],
  [
    `| ${limits.thumbnailSourceBytesMax / mib} MiB, ${limits.thumbnailPixelsMax.toLocaleString('en')} pixels (${limits.thumbnailWholePixelsMax.toLocaleString('en')} if it is a GIF, a WebP or an interlaced PNG), ${limits.thumbnailMemoryBytesMax / mib} MiB of memory`,
  ],
  [`| ${limits.thumbnailCacheBytesMax / mib} MiB, in the cache folder |`],
  [`hide notes from the daemon | ${limits.historyContentBytesMax / mib} MiB | -32602`],
  [`copied | ${limits.changeBytesMax / mib} MiB | -32602`],
  [`a removed folder up to ${limits.removedFolderBytesMax / mib} MiB`],
  [`a file up to ${limits.historyContentBytesMax / mib} MiB`],
  [limits.shutdownMs === 10_000 ? 'at most ten seconds' : 'another time'],
])('knows the limit %s', (words) => {
  expect(text.includes(words)).toBe(true);
});
