import { allScopes, type Caller } from '../../base/caller.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { type ChangeRow, changeRow } from '../../engine/change/change-row.ts';
import { madeFiles } from '../../engine/change/plan-basis.ts';
import { isSameAsker } from '../../engine/decide/asker.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { PlannedFile, Proposal } from '../../engine/ports/proposals.ts';
import type { Asker } from '../../engine/ports/questions.ts';
import type { ProposalId, StoredChange } from '../../engine/ports/state-store.ts';
import type { ToolCall } from '../../engine/vault/bound-vault.ts';
import { ProposedChange } from '../../engine/vault/proposed-change.ts';
import { checkInput } from '../define/check-input.ts';
import type { Toolset } from '../define/toolset.ts';
import { callOf, type ServedTool } from '../service/served-vault.ts';
import { withDeadline } from '../service/with-deadline.ts';

/** Makes a toolset from its name and settings; undefined when there is none of this name. */
export type MakeToolset = (
  name: string,
  settings: Proposal['settings'],
) => Promise<Toolset | undefined>;

/** What became of a proposal that the owner wanted to accept. */
export type Accepted =
  /**
   * It is a change of the history now. `rest` says why more that the call would do was not done:
   * only what the owner was shown is made.
   */
  | {
      readonly outcome: 'made';
      readonly id: ProposalId;
      readonly change: ChangeRow;
      readonly rest?: VaultError;
    }
  /** It is another plan than the owner has seen, because files had changed: they have to look again. */
  | { readonly outcome: 'replanned'; readonly id: ProposalId; readonly proposal: ShownProposal }
  /** There was nothing left to change, so it was closed as refused. */
  | { readonly outcome: 'nothing'; readonly id: ProposalId; readonly proposal: Proposal }
  /** It had been accepted or refused before. */
  | { readonly outcome: 'decided'; readonly id: ProposalId; readonly proposal: Proposal }
  /** It cannot be made now, and is open as before; or there is none with this id. */
  | { readonly outcome: 'failed'; readonly id: string; readonly error: VaultError };

/** A proposal as the owner is shown it. */
export interface ShownProposal extends Proposal {
  /** Its id with a hash of the plan, such as `p12@3f9a01`: only this plan is accepted by that name. */
  readonly shownAs: string;
}

/** The digits of a plan's hash that the owner is shown. */
const hashDigits = 6;

/** Names a proposal together with the plan that it has now. */
export function shownProposal({ parts: { hash } }: Vault, proposal: Proposal): ShownProposal {
  const { id, basis, diff } = proposal;
  const plan = new TextEncoder().encode(JSON.stringify([basis, diff]));
  return { ...proposal, shownAs: `${id}@${hash.version(plan).slice(0, hashDigits)}` };
}

interface AcceptParts {
  readonly vault: Vault;
  readonly timers: Timers;
  readonly toolset: MakeToolset;
  /** What the owner's command has made so far, of which proposals; this adds to it. */
  readonly made: MadeSoFar[];
}

/** What a proposal has done that was accepted by the same command of the owner. */
export interface MadeSoFar {
  readonly asker: Asker;
  readonly files: readonly PlannedFile[];
}

/**
 * Makes the change of an open proposal: calls its tool again, as the proposer and within the
 * proposer's scopes, but with the right to change. Never throws for what is wrong with the proposal.
 */
export async function acceptProposal(
  parts: AcceptParts,
  proposal: Proposal,
  owner: Caller,
): Promise<Accepted> {
  const { id } = proposal;
  const commit = { isDone: false };
  let failure: VaultError | undefined;
  try {
    const served = await servedTool(parts.toolset, proposal);
    const made = parts.made.flatMap(({ asker, files }) =>
      isSameAsker(asker, proposal.asker) ? files : [],
    );
    await callAgain(
      parts,
      { accepts: { ...proposal, made }, served },
      {
        ...proposer(proposal, owner),
        onCommit: () => {
          commit.isDone = true;
        },
        onTakenBack: () => {
          commit.isDone = false;
        },
      },
    );
  } catch (error) {
    failure = toVaultError(error);
  }
  const { proposals, clock } = parts.vault.parts;
  const now = (await proposals.get(id, clock.nowMs())) ?? proposal;
  const change = commit.isDone ? await madeChange(parts.vault, now) : undefined;
  const row = change && changeRow(parts.vault.bind(owner), change);
  if (change && row) {
    parts.made.push({ asker: proposal.asker, files: madeFiles(change.steps) });
    return { outcome: 'made', id, change: row, ...(failure && { rest: failure }) };
  }
  if (now.state !== 'open') return { outcome: 'decided', id, proposal: now };
  if (failure?.details['replanned'] === true) {
    return { outcome: 'replanned', id, proposal: shownProposal(parts.vault, now) };
  }
  if (failure !== undefined) return { outcome: 'failed', id, error: staysOpen(id, failure) };
  await proposals.refuse(id, { reason: nothingLeft, timeMs: clock.nowMs() });
  return { outcome: 'nothing', id, proposal: now };
}

/** Why a proposal could not be planned again; nothing when it could, or was decided meanwhile. */
export async function planAgain(
  parts: Omit<AcceptParts, 'made'>,
  proposal: Proposal,
  owner: Caller,
): Promise<string | undefined> {
  try {
    const served = await servedTool(parts.toolset, proposal);
    const accepts = { ...proposal, isLook: true } as const;
    await callAgain(parts, { accepts, served }, proposer(proposal, owner));
    return 'There is nothing left to change.';
  } catch (error) {
    if (error instanceof ProposedChange) return undefined; // The plan is the same as before.
    const failure = toVaultError(error);
    return failure.details['replanned'] === true ? undefined : whyNot(failure);
  }
}

const nothingLeft = 'When the owner accepted it, there was nothing left to change.';

/** A failure in words for the owner, unless it says by itself how far the change has come. */
function staysOpen(id: ProposalId, failure: VaultError): VaultError {
  const { code, details, excerpt } = failure;
  if (code === 'timeout' || code === 'cancelled') return failure;
  return new VaultError(code, `${id} cannot be made now, and stays open: ${whyNot(failure)}`, {
    cause: failure,
    details: { ...details, proposal: id },
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}

/** Why a proposal cannot be made, without the advice to the one who calls the tool. */
export function whyNot({ code, message, details }: VaultError): string {
  if (code !== 'not_found') return message;
  const { name, path, missing } = details;
  if (typeof name === 'string') return `There is no note "${name}" any more.`;
  return missing === 'text' || missing === 'body text'
    ? `"${path}" does not have this text any more: refuse the proposal.`
    : message;
}

/** The proposer as a caller that may do what it has proposed, for as long as the owner waits. */
function proposer({ asker, scopes }: Proposal, owner: Caller): Caller {
  const { brakeFiles: _, ...seen } = scopes;
  const { signal, deadlineMs, indexWaitMs, progress } = owner;
  return {
    ...asker,
    scopes: { ...seen, effects: allScopes.effects },
    signal,
    deadlineMs,
    ...(indexWaitMs === undefined ? {} : { indexWaitMs }),
    ...(progress === undefined ? {} : { progress }),
    // The owner has seen the plan, with whatever new tags it has.
    ask: async () => true,
  };
}

/** The tool of a proposal. Fails with `unavailable` when this program does not have it. */
async function servedTool(make: MakeToolset, proposal: Proposal): Promise<ServedTool> {
  const toolset = await make(proposal.toolset, proposal.settings);
  const tool = toolset?.tools.find(({ name }) => name === proposal.tool);
  if (toolset !== undefined && tool !== undefined) return { tool, toolset };
  throw new VaultError(
    'unavailable',
    `This version of Vaultdoor does not have the tool "${proposal.tool}"; refuse it, and let the client propose it again.`,
    { details: { tool: proposal.tool } },
  );
}

async function callAgain(
  { vault, timers }: Omit<AcceptParts, 'made'>,
  {
    accepts,
    served,
  }: { readonly accepts: NonNullable<ToolCall['accepts']>; readonly served: ServedTool },
  caller: Caller,
): Promise<void> {
  const { tool } = served;
  const checked = inputOf(accepts, served);
  const call: ToolCall = { ...callOf(served, { given: accepts.input, checked }), accepts };
  await withDeadline(caller, { timers, writes: true }, async (bound) => {
    await vault.check();
    return tool.run(await vault.admit(bound, call), checked);
  });
}

/** The stored arguments as the tool's schema has them now. Fails with `invalid_input`. */
function inputOf({ input }: Proposal, { tool }: ServedTool) {
  try {
    return checkInput(tool, input);
  } catch (error) {
    const { message, details } = toVaultError(error);
    throw new VaultError(
      'invalid_input',
      `The tool takes other arguments now; refuse it, and let the client propose it again. ${message}`,
      { details },
    );
  }
}

/** The change that was made of a proposal. */
async function madeChange(vault: Vault, { change }: Proposal): Promise<StoredChange | undefined> {
  if (change === undefined) return undefined;
  const { items } = await vault.parts.state.changes({ ids: [change] }, { limit: 1, offset: 0 });
  return items[0];
}
