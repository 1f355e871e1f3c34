import { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** Whose proposals are meant: absent fields say anyone's. */
interface Whose {
  /** The connection that they came from. */
  readonly session?: string;
  readonly client?: string;
}

/** The options of `vaultdoor proposals`. */
export type ProposalsOptions = {
  /** The value of `--vault`; absent when the environment or the current folder says which vault. */
  readonly vault?: string;
  /** The value of `--cluster-secret-file`. */
  readonly secretFile?: string;
  readonly json: boolean;
} & (
  | { readonly action: 'list'; readonly all: boolean; readonly whose: Whose }
  | { readonly action: 'show'; readonly id: string }
  | (ChosenProposals & { readonly action: 'accept'; readonly allowRoots: readonly string[] })
  | (ChosenProposals & { readonly action: 'refuse'; readonly reason?: string })
);

/** Which proposals to decide: those with these ids, or every open one of `whose`. */
interface ChosenProposals {
  readonly chosen:
    | { readonly ids: readonly string[] }
    /** With `yes`, without a question. */
    | { readonly whose: Whose; readonly yes: boolean };
}

type Action = ProposalsOptions['action'];

const flags: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'value'],
  ['cluster-secret-file', 'value'],
  ['json', 'switch'],
  ['all', 'switch'],
  ['session', 'value'],
  ['client', 'value'],
  ['yes', 'switch'],
  ['reason', 'value'],
  ['allow-root', 'list'],
];

/** For which actions each option is that is not for all. */
const usesOf: Readonly<Record<string, readonly Action[]>> = {
  all: ['list', 'accept', 'refuse'],
  session: ['list', 'accept', 'refuse'],
  client: ['list', 'accept', 'refuse'],
  yes: ['accept', 'refuse'],
  reason: ['refuse'],
  'allow-root': ['accept'],
};

/** Reads the arguments after `proposals`. Fails with `invalid_input` and what to write instead. */
export function readProposalsOptions(argv: readonly string[]): ProposalsOptions {
  const args = new ProgramArguments('proposals', argv, flags);
  const [given = 'list', ...ids] = args.positionals;
  const action = (['list', 'show', 'accept', 'refuse'] as const).find((each) => each === given);
  if (action === undefined) {
    throw args.refusal('"proposals" may be followed by list, show, accept or refuse.');
  }
  for (const [flag, uses] of Object.entries(usesOf)) {
    if (!args.has(flag) || uses.includes(action)) continue;
    throw args.refusal(`"--${flag}" is for "proposals ${uses.join('", "proposals ')}".`);
  }
  const vault = args.value('vault');
  const secretFile = args.value('cluster-secret-file');
  const asked = {
    ...(vault === undefined ? {} : { vault }),
    ...(secretFile === undefined ? {} : { secretFile }),
    json: args.has('json'),
  };
  switch (action) {
    case 'list':
      if (ids.length > 0) throw args.refusal('"proposals list" takes options only.');
      return { ...asked, action, all: args.has('all'), whose: whoseOf(args) };
    case 'show': {
      const [id, more] = ids;
      if (id === undefined || more !== undefined) {
        throw args.refusal('"proposals show" needs the id of one proposal, such as p12.');
      }
      return { ...asked, action, id };
    }
    case 'accept':
      return { ...asked, action, chosen: chosenOf(args, ids), allowRoots: args.list('allow-root') };
    case 'refuse': {
      const reason = args.value('reason');
      const why = reason === undefined ? {} : { reason };
      return { ...asked, action, chosen: chosenOf(args, ids), ...why };
    }
  }
}

function whoseOf(args: ProgramArguments): Whose {
  const session = args.value('session');
  const client = args.value('client');
  return {
    ...(session === undefined ? {} : { session }),
    ...(client === undefined ? {} : { client }),
  };
}

function chosenOf(args: ProgramArguments, ids: readonly string[]): ChosenProposals['chosen'] {
  const whose = whoseOf(args);
  const isSome = Object.keys(whose).length > 0;
  const isFiltered = args.has('all') || isSome;
  if ((isFiltered && ids.length > 0) || (args.has('all') && isSome)) {
    throw args.refusal('Give the ids of proposals, or --session or --client, or --all.');
  }
  if (isFiltered) return { whose, yes: args.has('yes') };
  if (ids.length > 0) return { ids };
  throw args.refusal(
    'Say which proposals: give their ids, such as p12, or --session or --client, or --all.',
  );
}
