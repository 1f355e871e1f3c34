import { type ClusterAddress, clusterFlags, readClusterAddress } from './cluster-options.ts';
import { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** What `vaultdoor cluster` is asked to do. */
type ClusterAction =
  | { readonly do: 'init'; readonly secretFile?: string }
  | { readonly do: 'migrate' }
  | { readonly do: 'status' }
  | {
      readonly do: 'add';
      readonly name: string;
      readonly path: string;
      /** The only node that sees the vault. */
      readonly pinned?: string;
    }
  | { readonly do: 'move'; readonly vault: string; readonly node: string }
  | { readonly do: 'drain'; readonly node: string }
  | { readonly do: 'restored'; readonly root?: string }
  | { readonly do: 'check'; readonly root: string; readonly alsoAt?: string }
  | {
      readonly do: 'import';
      readonly vault: string;
      readonly name?: string;
      /** The folder that the nodes serve, in which the vault is; or the path that it will have there. */
      readonly root?: string;
      readonly path?: string;
      readonly pinned?: string;
    }
  | { readonly do: 'export'; readonly vault: string; readonly name?: string };

/** The options of `vaultdoor cluster`. */
export type ClusterCommandOptions = ClusterAction & {
  readonly address: ClusterAddress;
  readonly json: boolean;
};

type Action = ClusterAction['do'];

/** The flags that only some actions have. */
const ownFlags: Readonly<Record<string, readonly Action[]>> = {
  'cluster-secret-file': ['init'],
  pinned: ['add', 'import'],
  'vaults-root': ['check', 'restored', 'import'],
  'also-at': ['check'],
  path: ['import'],
  vault: ['import', 'export'],
  name: ['import', 'export'],
};

const flags: readonly (readonly [string, FlagKind])[] = [
  ...clusterFlags,
  ...Object.keys(ownFlags).map((flag) => [flag, 'value'] as const),
  ['json', 'switch'],
];

/** How many words follow each action. */
const words: Readonly<Record<Action, number>> = {
  init: 0,
  migrate: 0,
  status: 0,
  add: 2,
  move: 2,
  drain: 1,
  restored: 0,
  check: 0,
  import: 0,
  export: 0,
};

/** Reads the arguments after `cluster`. Fails with `invalid_input` and what to write instead. */
export function readClusterOptions(argv: readonly string[]): ClusterCommandOptions {
  const args = new ProgramArguments('cluster', argv, flags);
  const [action = '', ...given] = args.positionals;
  if (!isAction(action)) {
    throw args.refusal(`"cluster" must be followed by one of ${Object.keys(words).join(', ')}.`);
  }
  if (given.length !== words[action]) throw args.refusal(wordsMissing(action));
  for (const [flag, actions] of Object.entries(ownFlags)) {
    if (args.has(flag) && !actions.includes(action)) {
      throw args.refusal(`"--${flag}" is for "cluster ${actions.join('" and "cluster ')}".`);
    }
  }
  const address = readClusterAddress(args);
  if (address === undefined) {
    throw args.refusal(
      'Give the address of PostgreSQL: --cluster, VAULTDOOR_CLUSTER, or --cluster-url-file.',
    );
  }
  return { ...actionOf(args, action, given), address, json: args.has('json') };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(words, word);
}

function wordsMissing(action: Action): string {
  if (action === 'add') return '"cluster add" needs a name and the path of the vault.';
  if (action === 'move') return '"cluster move" needs a vault and a node.';
  if (action === 'drain') return '"cluster drain" needs a node.';
  return `"cluster ${action}" takes options only.`;
}

function actionOf(
  args: ProgramArguments,
  action: Action,
  [first = '', second = '']: readonly string[],
): ClusterAction {
  const needed = (flag: string, what: string): string => {
    const value = args.value(flag);
    if (value) return value;
    throw args.refusal(`"cluster ${action}" needs --${flag} <${what}>.`);
  };
  const secretFile = args.value('cluster-secret-file');
  const pinned = args.value('pinned');
  const root = args.value('vaults-root');
  const alsoAt = args.value('also-at');
  const name = args.value('name');
  const path = args.value('path');
  switch (action) {
    case 'init':
      return { do: action, ...(secretFile ? { secretFile } : {}) };
    case 'add':
      return { do: action, name: first, path: second, ...(pinned ? { pinned } : {}) };
    case 'move':
      return { do: action, vault: first, node: second };
    case 'drain':
      return { do: action, node: first };
    case 'restored':
      return { do: action, ...(root ? { root } : {}) };
    case 'check':
      return {
        do: action,
        root: needed('vaults-root', 'folder'),
        ...(alsoAt ? { alsoAt } : {}),
      };
    case 'import':
      return {
        do: action,
        vault: needed('vault', 'folder'),
        ...(name ? { name } : {}),
        ...(root ? { root } : {}),
        ...(path ? { path } : {}),
        ...(pinned ? { pinned } : {}),
      };
    case 'export':
      return { do: action, vault: needed('vault', 'folder'), ...(name ? { name } : {}) };
    default:
      return { do: action };
  }
}
