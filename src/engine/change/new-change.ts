import type { NewChange } from '../ports/state-store.ts';
import type { Planned } from './change-report.ts';
import type { OwnersSay } from './owners-say.ts';

/** A plan as history records it: who made the change, how, and when. */
export function newChange(
  { draft, change }: Planned<unknown>,
  say: OwnersSay,
  nowMs: number,
): NewChange {
  const { caller, call } = draft.vault;
  return {
    door: caller.door,
    ...(caller.client === undefined ? {} : { client: caller.client }),
    ...(caller.connection === undefined ? {} : { connection: caller.connection }),
    tool: call.tool,
    args: call.args,
    ...(caller.token === undefined ? {} : { token: caller.token }),
    // The plan of a proposal is made for the time at which it was proposed.
    timeMs: call.accepts === undefined ? draft.nowMs : nowMs,
    ...(call.accepts === undefined ? {} : { proposal: call.accepts.id }),
    steps: change.steps,
    ...say.destroys(change),
    ...(draft.undone.length === 0 ? {} : { undoes: draft.undone }),
    ...(draft.partlyUndone.length === 0 ? {} : { partly: draft.partlyUndone }),
    ...(caller.door === 'remote' ? { fold: true } : {}),
  };
}
