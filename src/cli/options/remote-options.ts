import { join, resolve } from 'node:path';
import { remoteFolder, socketName, tokenName } from './daemon-options.ts';
import { ProgramArguments } from './program-arguments.ts';

/** Where the daemon is: on this machine, or on one that is reached with ssh. */
export interface RemotePlace {
  /** The host as ssh takes it; absent when the daemon is on this machine. */
  readonly host?: string;
  /** Absolute, or relative to the home folder on the other machine. */
  readonly socket: string;
  /** A path like `socket`. */
  readonly tokenFile: string;
}

/** What to do with the files of the daemon. */
export type RemoteAction =
  | { readonly name: 'ls'; readonly path: string }
  | { readonly name: 'cat'; readonly path: string }
  | { readonly name: 'watch'; readonly path: string }
  | {
      readonly name: 'put';
      readonly path: string;
      /** The file to send; absent for stdin. */
      readonly file?: string;
      /** Write only if the file still has this modification time, in milliseconds. */
      readonly ifMtime?: number;
    }
  | { readonly name: 'info' };

interface RemoteOptions {
  readonly place: RemotePlace;
  readonly action: RemoteAction;
  readonly json: boolean;
}

const actions = ['ls', 'cat', 'put', 'watch', 'info'] as const;

/** Reads the arguments after `remote`. Fails with `invalid_input` and what to write instead. */
export function readRemoteOptions(
  argv: readonly string[],
  { home, currentFolder }: { readonly home: string; readonly currentFolder: string },
): RemoteOptions {
  const args = new ProgramArguments('remote', argv, [
    ['ssh', 'value'],
    ['socket', 'value'],
    ['token-file', 'value'],
    ['if-mtime', 'value'],
    ['json', 'switch'],
  ]);
  const host = args.value('ssh');
  const pathOf = (flag: string, name: string): string => {
    const given = args.value(flag);
    if (host !== undefined) return given?.replace(/^~\//, '') ?? `${remoteFolder}/${name}`;
    return given === undefined ? join(home, remoteFolder, name) : resolve(currentFolder, given);
  };
  return {
    place: {
      ...(host === undefined ? {} : { host }),
      socket: pathOf('socket', socketName),
      tokenFile: pathOf('token-file', tokenName),
    },
    action: actionOf(args),
    json: args.has('json'),
  };
}

function actionOf(args: ProgramArguments): RemoteAction {
  const [word, path, file] = args.positionals;
  const name = actions.find((action) => action === word);
  if (name === undefined)
    throw args.refusal('"remote" must be followed by ls, cat, put, watch or info.');
  const ifMtime = args.value('if-mtime');
  if (ifMtime !== undefined && name !== 'put') throw args.refusal('"--if-mtime" is for "put".');
  // For the daemon, 0 means any time.
  if (ifMtime !== undefined && !/^[1-9]\d{0,14}$/.test(ifMtime)) {
    throw args.refusal('"--if-mtime" takes whole milliseconds, as "ls --json" shows them.');
  }
  const takes = ['no path', 'one path', 'one path, and one file'];
  const positionalsMax = { ls: 1, cat: 1, put: 2, watch: 1, info: 0 }[name];
  if (args.positionals.length > 1 + positionalsMax) {
    throw args.refusal(`"remote ${name}" takes ${takes[positionalsMax]}.`);
  }
  switch (name) {
    case 'info':
      return { name };
    case 'ls':
    case 'watch':
      return { name, path: path ?? '' };
    case 'cat':
    case 'put':
      if (!path) throw args.refusal(`"remote ${name}" needs the path of a file.`);
      if (name === 'cat') return { name, path };
      return {
        name,
        path,
        ...(file === undefined || file === '-' ? {} : { file }),
        ...(ifMtime === undefined ? {} : { ifMtime: Number(ifMtime) }),
      };
  }
}
