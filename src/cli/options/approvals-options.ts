import { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** The options of `vaultdoor approvals`. */
export type ApprovalsOptions = {
  /** The value of `--vault`; absent when the environment or the current folder says which vault. */
  readonly vault?: string;
  /** The value of `--cluster-secret-file`. */
  readonly secretFile?: string;
  readonly json: boolean;
} & (
  | { readonly action: 'list'; readonly all: boolean }
  | { readonly action: 'show'; readonly id: string }
  | { readonly action: 'allow'; readonly ids: readonly string[]; readonly session: boolean }
  | {
      readonly action: 'deny';
      readonly ids: readonly string[];
      readonly reason?: string;
      readonly undo: boolean;
    }
);

const flags: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'value'],
  ['cluster-secret-file', 'value'],
  ['json', 'switch'],
  ['all', 'switch'],
  ['session', 'switch'],
  ['reason', 'value'],
  ['undo', 'switch'],
];

/** For which action each option is that is not for all. */
const flagOf = { all: 'list', session: 'allow', reason: 'deny', undo: 'deny' } as const;

/** Reads the arguments after `approvals`. Fails with `invalid_input` and what to write instead. */
export function readApprovalsOptions(argv: readonly string[]): ApprovalsOptions {
  const args = new ProgramArguments('approvals', argv, flags);
  const [action = 'list', ...ids] = args.positionals;
  const [id, more] = ids;
  for (const [flag, use] of Object.entries(flagOf)) {
    if (args.has(flag) && use !== action) {
      throw args.refusal(`"--${flag}" is for "approvals ${use}".`);
    }
  }
  const vault = args.value('vault');
  const secretFile = args.value('cluster-secret-file');
  const asked = {
    ...(vault === undefined ? {} : { vault }),
    ...(secretFile === undefined ? {} : { secretFile }),
    json: args.has('json'),
  };
  if (action === 'list') {
    if (id !== undefined) throw args.refusal('"approvals list" takes options only.');
    return { ...asked, action, all: args.has('all') };
  }
  if (action !== 'show' && action !== 'allow' && action !== 'deny') {
    throw args.refusal('"approvals" may be followed by list, show, allow or deny.');
  }
  if (id === undefined) {
    throw args.refusal(`"approvals ${action}" needs the id of a question, such as q7.`);
  }
  switch (action) {
    case 'show':
      if (more !== undefined) throw args.refusal('"approvals show" takes one question.');
      return { ...asked, action, id };
    case 'allow':
      return { ...asked, action, ids, session: args.has('session') };
    case 'deny': {
      const reason = args.value('reason');
      const why = reason === undefined ? {} : { reason };
      return { ...asked, action, ids, ...why, undo: args.has('undo') };
    }
  }
}
