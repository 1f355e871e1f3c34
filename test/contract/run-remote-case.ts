import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { openRemoteDoor } from '../support/remote-door.ts';
import type { RemoteWire } from '../support/remote-wire.ts';
import type {
  RemoteAnswer,
  RemoteCase,
  RemotePlace,
  RemoteReply,
  RemoteStep,
  There,
} from './remote-case.ts';

/** Runs a case on a vault of its own, over a socket. Every id must be answered once, and no more. */
export async function runRemoteCase(one: RemoteCase): Promise<void> {
  const door = await openRemoteDoor({ thumbnails: one.thumbnails === true });
  const { vault, outside, token } = door;
  const place: RemotePlace = {
    vault,
    outside,
    token,
    mtime: (path) => Number(lstatSync(join(vault, path), { bigint: true }).mtimeNs / 1_000_000n),
  };
  fillVault(place, one);
  const wire = await (one.stranger ? door.connect() : door.enter());
  for (const step of one.steps) await runStep(step, wire, place);
  expect(await wire.drain()).toEqual([]);
  for (const [path, expected] of Object.entries(one.disk ?? {})) {
    expect(onDisk(vault, path), path).toEqual(expected);
  }
  await door.close();
}

function fillVault({ vault, outside }: RemotePlace, { files = {}, links = {} }: RemoteCase): void {
  for (const [path, text] of Object.entries(files)) {
    const isFolder = path.endsWith('/');
    mkdirSync(isFolder ? join(vault, path) : dirname(join(vault, path)), { recursive: true });
    if (!isFolder) writeFileSync(join(vault, path), text);
  }
  for (const [path, target] of Object.entries(links)) {
    symlinkSync(target.replace('{outside}', outside), join(vault, path));
  }
}

async function runStep(step: RemoteStep, wire: RemoteWire, place: RemotePlace): Promise<void> {
  if (step.kind === 'does') {
    await step.what(place);
    return;
  }
  if (step.kind === 'call') {
    const reply = await wire.call(step.method, there(step.params, place));
    checkReply(reply, step.expected, place, step.method);
    return;
  }
  wire.send(...there(step.bytes, place));
  for (const expected of step.replies) await checkNext(expected, wire, place);
  if (step.closes) {
    await wire.closed;
    expect(wire.frames).toEqual([]);
  }
}

/** The next message must be this reply, its id byte for byte. */
async function checkNext(expected: RemoteReply, wire: RemoteWire, place: RemotePlace) {
  const reply = await wire.take();
  const body = wire.bodies.get(reply) ?? '';
  expect(body).toContain(`"id":${expected.id}`);
  checkReply(reply, expected, place, body.slice(0, 200));
}

function checkReply(reply: object, expected: RemoteAnswer, place: RemotePlace, what: string): void {
  const envelope = { jsonrpc: '2.0', id: 'id' in reply ? reply.id : undefined };
  if ('result' in expected) {
    expect(reply, what).toEqual({ ...envelope, result: there(expected.result, place) });
    return;
  }
  const message = expect.stringContaining(expected.message ?? '');
  expect(reply, what).toEqual({ ...envelope, error: { code: expect.any(Number), message } });
  const { error } = reply as { error: { code: number; message: string } };
  expect([expected.error].flat(), `${what}: ${error.message}`).toContain(error.code);
  expect(error.message, what).not.toMatch(/\/tmp\/|vaultdoor-test-/);
}

function there<T>(value: There<T>, place: RemotePlace): T {
  return typeof value === 'function' ? (value as (place: RemotePlace) => T)(place) : value;
}

function onDisk(vault: string, path: string): unknown {
  if (path === '*') {
    return readdirSync(vault, { recursive: true, encoding: 'utf8' }).sort().join(' ');
  }
  const stat = lstatSync(join(vault, path), { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return { is: 'link' };
  return stat.isDirectory() ? { is: 'folder' } : readFileSync(join(vault, path), 'utf8');
}
