import type { Caller, Effect, Scopes } from '../../base/caller.ts';
import { rightTo } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import { brakeQuestion } from './brake-question.ts';
import { isOwner } from './owner-door.ts';
import type { TagPolicy } from './tag-policy.ts';
import { refusesNewTags, shownTag } from './tag-policy.ts';

/**
 * What is known of a call or of a planned change when it is decided about. A field that is absent
 * says that there is nothing of the kind, or that it was decided before.
 */
interface Plan {
  /** What the tool does. */
  readonly effect?: Effect;
  /** Set when it cannot be kept as a proposal: see `cannotWait`. */
  readonly atOnce?: keyof typeof cannotWait;
  /** What belongs to the whole vault, not to some of its folders. */
  readonly wholeVault?: keyof typeof wholeVault;
  /** Files that the caller may not see and that would have to be touched, or the daily notes. */
  readonly unseen?: keyof typeof unseen | undefined;
  /** Whether a note would get a mark that hides it from the caller. */
  readonly marks?: keyof typeof marks | undefined;
  /** Tags that the vault does not have and that the user has not agreed to. */
  readonly newTags?: { readonly policy: TagPolicy; readonly tags: readonly string[] };
  /** How many files the change deletes or overwrites whole. */
  readonly destroys?: number;
  /** How many the same caller has deleted or overwritten whole within `limits.brakeMs`. */
  readonly destroyed?: number;
  /** When the owner has taken the brake off for this caller, if within `limits.brakeMs`. */
  readonly releasedMs?: number | undefined;
  /**
   * When the owner has denied this caller something, if within `limits.brakeMs`, or this very call.
   * Then every file is asked about: what was taken back is not counted, so the caller could begin
   * anew at once.
   */
  readonly deniedMs?: number | undefined;
  /**
   * Whether a question of this caller waits for an answer. Until it has one, every file is asked
   * about: otherwise a caller that calls again and again would go on once `destroyed` is old.
   */
  readonly waits?: boolean | undefined;
}

/**
 * What becomes of a call or a change. `ask` is for the person behind the client (`caller`, in the
 * client's own form) or for the owner of the vault, who is asked behind the port `Questions`.
 */
type Decision =
  | { readonly do: 'allow' | 'propose' }
  | { readonly do: 'ask'; readonly whom: 'caller' | 'owner'; readonly question: string }
  | { readonly do: 'refuse'; readonly code: VaultErrorCode; readonly reason: string };

/** What the decision needs to know of a caller. */
type Decided = Pick<Caller, 'door' | 'scopes'> & Partial<Pick<Caller, 'ask'>>;

/**
 * Decides about a call before its tool runs (then only its effect is known), and about each planned
 * change. Every rule about who may do what is here; `test/tidy.test.ts` looks for others.
 */
export function decide(caller: Decided, plan: Plan): Decision {
  return refusalOf(caller, plan) ?? tagDecision(caller, plan) ?? ownerDecision(caller, plan);
}

/** Fails when the decision is to refuse; for rules that are known while a change is planned. */
export function checkAllowed(caller: Decided, plan: Plan): void {
  const decision = decide(caller, plan);
  if (decision.do === 'refuse') throw new VaultError(decision.code, decision.reason);
}

/** The rules that leave nothing to ask. */
function refusalOf({ scopes }: Decided, plan: Plan): Decision | undefined {
  const { effect = 'read', atOnce } = plan;
  const right = plan.effect === undefined ? 'do' : rightTo(effect, scopes.effects);
  if (right === undefined) return refuse(`${refused[effect]}: ${whatItMay(scopes)}.`);
  if (atOnce !== undefined && right === 'propose') return refuse(cannotWait[atOnce]);
  const matter = plan.wholeVault && wholeVault[plan.wholeVault];
  if (matter !== undefined && !matter.may(scopes)) return refuse(matter.reason);
  if (plan.unseen !== undefined) return refuse(unseen[plan.unseen]);
  if (plan.marks !== undefined) return refuse(marks[plan.marks]);
  return undefined;
}

/** The rule about new tags: the user may agree to them where the client can ask. */
function tagDecision({ ask }: Decided, { newTags }: Plan): Decision | undefined {
  if (newTags === undefined || newTags.tags.length === 0) return undefined;
  if (!refusesNewTags(newTags.policy)) return undefined;
  const { tags } = newTags;
  const reason = `The vault does not have the ${tags.length === 1 ? 'tag' : 'tags'} yet.`;
  if (ask === undefined || tags.length > limits.askedTagsMax) {
    return { do: 'refuse', code: 'tag_not_allowed', reason };
  }
  return { do: 'ask', whom: 'caller', question: tagQuestion(tags) };
}

/** The rules that the owner has a say in: propose mode, and the brake. */
function ownerDecision(caller: Decided, plan: Plan): Decision {
  const { scopes } = caller;
  if (plan.effect !== undefined && rightTo(plan.effect, scopes.effects) === 'propose') {
    return { do: 'propose' };
  }
  const { destroys = 0, destroyed = 0, releasedMs = 0, deniedMs = 0, waits = false } = plan;
  const { brakeFiles = Number.POSITIVE_INFINITY } = scopes;
  const isOverLimit = Math.max(destroyed, destroys) > brakeFiles;
  const isBraked = destroys > 0 && (deniedMs > 0 || waits || isOverLimit);
  // The later of the two answers holds. A question without an answer does not end a permission.
  const isReleased = releasedMs > deniedMs;
  if (!isBraked || isReleased || isOwner(caller)) return { do: 'allow' };
  const denied = deniedMs > 0;
  const question = brakeQuestion({ destroys, destroyed, waits, denied });
  return { do: 'ask', whom: 'owner', question };
}

function refuse(reason: string): Decision {
  return { do: 'refuse', code: 'forbidden', reason };
}

const refused: Readonly<Record<Effect, string>> = {
  read: 'Nothing can be read here',
  write: 'Nothing can be changed here',
  destroy: 'Nothing can be deleted or undone here',
};

function whatItMay({ effects }: Scopes): string {
  const may = effects.length === 0 ? 'do nothing' : `only ${effects.join(' and ')}`;
  return `this connection may ${may}`;
}

/** Why something cannot be kept as a proposal until the owner has decided. */
const cannotWait = {
  outside:
    'This connection may only propose changes, and what this does happens outside of the vault, so it cannot be proposed; ask the owner to do it.',
  attachFrom:
    'This connection may only propose changes, and the file could be another one when the owner decides; send its bytes in "data".',
  raw: 'This connection may only propose changes, which this protocol cannot do; ask the owner for a connection that may write.',
} as const;

/** What a caller must see the whole vault for. */
const wholeVault = {
  sync: {
    may: ({ folders }: Scopes) => folders.includes(''),
    reason:
      'The whole vault is synchronised, but you may use only some of its folders; ask whoever runs the server.',
  },
  bookmarks: {
    may: ({ folders }: Scopes) => folders.includes(''),
    reason:
      'Bookmarks belong to the whole vault, so a connection that sees only some of its folders cannot add one.',
  },
  history: {
    may: seesAllOf,
    reason: 'Sessions and counts are of the whole history, and this connection sees only a part.',
  },
  app: {
    may: seesAllOf,
    reason:
      'The app shows and changes the whole vault, and this connection sees only a part of it.',
  },
} as const;

/** Whether nothing is hidden from a caller with these scopes. */
export function seesAllOf({ folders, hide, hideTags = [], hideProperties = [] }: Scopes): boolean {
  const hidden = hide.length + hideTags.length + hideProperties.length;
  return folders.includes('') && hidden === 0;
}

const unseen = {
  files:
    'The change would have to touch files that this connection may not see; ask someone who may.',
  daily:
    'The daily notes of this vault are in a folder that this connection may not see; ask someone who may see it.',
} as const;

const marks = {
  added:
    'The change would put a mark on a note that hides it from connections like this one; only the owner does that.',
} as const;

function tagQuestion(tags: readonly string[]): string {
  const quoted = tags.map((tag) => `'${shownTag(tag)}'`).join(', ');
  return `May the new ${tags.length === 1 ? 'tag' : 'tags'} ${quoted} be added to the vault?`;
}
