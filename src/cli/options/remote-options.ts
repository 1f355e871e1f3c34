import { join, resolve } from 'node:path';
import { remoteFolder, socketName, tokenName } from './daemon-options.ts';
import { OptionWords } from './program-arguments.ts';

/** Where the daemon is: on this machine, or on one that is reached with ssh. */
export interface RemotePlace {
  /** The host as ssh takes it; absent when the daemon is on this machine. */
  readonly host?: string;
  /** Absolute, or from the home folder of the other machine on. */
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
  const words = new OptionWords('remote', argv, [
    ['ssh', 'value'],
    ['socket', 'value'],
    ['token-file', 'value'],
    ['if-mtime', 'value'],
    ['json', 'switch'],
  ]);
  const host = words.value('ssh');
  const pathOf = (flag: string, name: string): string => {
    const given = words.value(flag);
    if (host !== undefined) return given?.replace(/^~\//, '') ?? `${remoteFolder}/${name}`;
    return given === undefined ? join(home, remoteFolder, name) : resolve(currentFolder, given);
  };
  return {
    place: {
      ...(host === undefined ? {} : { host }),
      socket: pathOf('socket', socketName),
      tokenFile: pathOf('token-file', tokenName),
    },
    action: actionOf(words),
    json: words.has('json'),
  };
}

function actionOf(words: OptionWords): RemoteAction {
  const [word, path, file] = words.positionals;
  const name = actions.find((action) => action === word);
  if (name === undefined)
    throw words.refusal('"remote" is followed by ls, cat, put, watch or info.');
  const ifMtime = words.value('if-mtime');
  if (ifMtime !== undefined && name !== 'put') throw words.refusal('"--if-mtime" is for "put".');
  // For the daemon, 0 means any time.
  if (ifMtime !== undefined && !/^[1-9]\d{0,14}$/.test(ifMtime)) {
    throw words.refusal('"--if-mtime" takes whole milliseconds, as "ls --json" shows them.');
  }
  const takes = ['no path', 'one path', 'one path, and one file'];
  const wordsMax = { ls: 1, cat: 1, put: 2, watch: 1, info: 0 }[name];
  if (words.positionals.length > 1 + wordsMax) {
    throw words.refusal(`"remote ${name}" takes ${takes[wordsMax]}.`);
  }
  switch (name) {
    case 'info':
      return { name };
    case 'ls':
    case 'watch':
      return { name, path: path ?? '' };
    case 'cat':
    case 'put':
      if (!path) throw words.refusal(`"remote ${name}" needs the path of a file.`);
      if (name === 'cat') return { name, path };
      return {
        name,
        path,
        ...(file === undefined || file === '-' ? {} : { file }),
        ...(ifMtime === undefined ? {} : { ifMtime: Number(ifMtime) }),
      };
  }
}
