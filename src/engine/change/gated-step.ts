import { assert } from '../../base/assert.ts';
import type { GatedSteps, WritableDisk } from '../ports/ports.ts';
import type { FileStat } from '../ports/records.ts';
import type { ChangeStep } from '../ports/state-store.ts';

// Steps of a vault that several machines share: see `GatedSteps`.

/** A file as it was seen, of which only the stamp matters here. */
type SeenStamp = { readonly stat: Pick<FileStat, 'stamp'> } | undefined;

/** Carries out a `delete`, or goes on with one that has taken its file. */
export function removeThroughGate(
  disk: WritableDisk,
  { path, before, token = '' }: ChangeStep & { do: 'delete' },
  seen?: SeenStamp,
): Promise<void> {
  return gateOf(disk).remove(path, {
    token,
    ...(before === undefined ? {} : { before, ...stampOf(seen) }),
  });
}

/** Carries out a move, or goes on with one that has taken its file. */
export function moveThroughGate(
  disk: WritableDisk,
  { path, to, over, token = '' }: ChangeStep & { do: 'move' | 'moveFolder' },
  seen?: SeenStamp,
): Promise<void> {
  return gateOf(disk).move(path, to, {
    token,
    ...(over === undefined ? {} : { over: stampOf(seen) }),
  });
}

/** Puts back what a step has taken and not yet deleted or moved. */
export async function putBackTaken(
  disk: WritableDisk,
  { path, token }: { readonly path: ChangeStep['path']; readonly token?: string },
): Promise<void> {
  if (token !== undefined) await gateOf(disk).putBack(path, token);
}

/** The token by which a step is taken back: what it has taken itself must not be mistaken for that. */
export function backToken(token: string): string {
  return `${token}b`;
}

function gateOf({ gate }: WritableDisk): GatedSteps {
  assert(gate !== undefined, 'a step with a token is carried out by a disk with a gate');
  return gate;
}

function stampOf(seen: SeenStamp): { readonly stamp?: string } {
  return seen === undefined ? {} : { stamp: seen.stat.stamp };
}
