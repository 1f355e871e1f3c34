import { expect } from 'vitest';
import { openRemoteDoor } from '../support/remote-door.ts';
import type { RemoteFrame, RemoteWire } from '../support/remote-wire.ts';
import type { RemoteEventCase, Told } from './remote-event-case.ts';

/**
 * Runs a case on a vault of its own. After each step a mark is made that a second subscription hears
 * of: what has not come before it does not come at all.
 */
export async function runRemoteEventCase(one: RemoteEventCase): Promise<void> {
  const door = await openRemoteDoor({ files: one.files ?? {} });
  const watcher = await door.enter();
  const writer = await door.enter();
  const watched = one.watched ?? { path: '', recursive: true };
  const { subscriptionId } = await watcher.result('fs.watch', watched);
  const marks = await watcher.result('fs.watch', { path: '', recursive: true });
  for (const [step, { what, told }] of one.doing.entries()) {
    if (typeof what === 'function') what(door);
    else await writer.result(...what);
    const mark = `mark-${step}`;
    await markHeard(writer, watcher, { mark, subscription: marks['subscriptionId'] });
    const frames = watcher.frames.splice(0);
    const seen = frames.filter(({ params }) => params?.['subscriptionId'] === subscriptionId);
    const heard = seen.map(toldBy).filter((each) => !each.includes('mark-'));
    expect([...heard].sort()).toEqual([...told].sort());
    expect(orderFaults(heard)).toEqual([]);
  }
  await door.close();
}

/** Makes a file that shows how far the events have come, and waits until it is told of. */
export async function markHeard(
  writer: RemoteWire,
  watcher: RemoteWire,
  { mark, subscription }: { readonly mark: string; readonly subscription: unknown },
): Promise<void> {
  // What the watcher has not yet reported must be: what is told of our own changes may overtake it.
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  await writer.result('fs.mkdir', { path: mark });
  await watcher.take(
    ({ params }) => params?.['path'] === mark && params['subscriptionId'] === subscription,
  );
}

/** Longer than the watcher collects, so that what was done is told of before the mark. */
const settleMs = 80;

/**
 * Parents come before what is in them and go after it; what was renamed goes before it comes. Only
 * the trash may come earlier: it is made before anything moves there, and on a slow machine the
 * watcher tells of it by then.
 */
function orderFaults(heard: readonly Told[]): readonly string[] {
  return heard.flatMap((later, at) =>
    heard.slice(0, at).flatMap((earlier) => {
      const [was = '', before = ''] = earlier.split(' ');
      const [is = '', after = ''] = later.split(' ');
      const isWrong =
        (was === 'created' && is === 'deleted' && !trashFolders.includes(before)) ||
        (was === 'created' && is === 'created' && before.startsWith(`${after}/`)) ||
        (was === 'deleted' && is === 'deleted' && after.startsWith(`${before}/`));
      return isWrong ? [`${earlier} before ${later}`] : [];
    }),
  );
}

const trashFolders = ['.trash', '.trash/d'];

/** A notification, held to the shape that section 3 gives it. */
export function toldBy(frame: RemoteFrame): Told {
  const { subscriptionId, path, event } = frame.params ?? {};
  expect(frame).toEqual({
    jsonrpc: '2.0',
    method: 'fs.changed',
    params: {
      subscriptionId: expect.stringMatching(/^[\da-f]{24}$/),
      path: expect.any(String),
      event: expect.stringMatching(/^(created|modified|deleted)$/),
      ...(event === 'deleted' ? {} : { mtime: expect.any(Number) }),
    },
  });
  expect(subscriptionId).not.toBe('');
  return `${event as 'created'} ${path as string}`;
}
