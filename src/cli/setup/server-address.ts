import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { VaultError } from '../../base/vault-error.ts';
import { cannotListen } from '../../net/cannot-listen.ts';
import { vaultFolders } from '../../node/place/vault-folders.ts';
import { connectLocal, localSocketPath } from '../../node/server/local-socket.ts';
import { givenIssuer } from '../../oauth/grants/issuer.ts';
import type { Shell } from '../shell/shell.ts';
import { askQuestion } from './ask-question.ts';
import type { Access } from './setup-options.ts';

/** Where a server listens, and the address on the internet that leads to it. */
export interface ServerAddress {
  readonly host: string;
  /** Absent when no proxy or tunnel leads to it. */
  readonly publicUrl?: string;
}

const words: Readonly<Record<string, string>> = {
  'this-machine': '127.0.0.1',
  network: '0.0.0.0',
};
const example = 'https://vault.example.com';

/**
 * The address of `--address`: `this-machine`, `network`, an https address, or an address that this
 * machine has. Fails with `invalid_input` and what to write instead.
 */
export function readAddress(text: string): ServerAddress {
  const host = words[text];
  if (host !== undefined) return { host };
  if (/^https?:/i.test(text)) {
    const issuer = givenIssuer(text);
    if (issuer === undefined) {
      // The address is not repeated: it may have a password in it.
      throw new VaultError(
        'invalid_input',
        `This is no address for apps. One begins with https:// and has neither "?" nor a password, such as ${example}.`,
      );
    }
    // The proxy or tunnel runs on this machine, so the server can listen on loopback alone.
    return { host: '127.0.0.1', publicUrl: issuer.url };
  }
  if (/^[\w.:-]+$/.test(text) && /[.:]|^localhost$/.test(text)) return { host: text };
  throw new VaultError(
    'invalid_input',
    `"${text}" is no address: write this-machine, network, an address of this machine, or one such as ${example}.`,
  );
}

/** Says so when a typed address is the one for apps, of which the end is not part of the server's own. */
export function sayTaken(
  { stderr }: Pick<Shell, 'stderr'>,
  typed: string,
  { publicUrl }: ServerAddress,
): void {
  if (publicUrl === undefined || !/\/mcp\/*$/i.test(typed)) return;
  stderr.write(
    `Your server's address is ${publicUrl}. (${publicUrl}/mcp, with the end that you have typed, is what apps get.)\n`,
  );
}

/** A warning when apps that have signed in will not come in any more. */
export function movedWarnings(
  before: { readonly address?: ServerAddress; readonly access?: Access },
  { address, access }: { readonly address: ServerAddress; readonly access?: Access },
): readonly string[] {
  const old = before.access === 'sign-in' ? before.address?.publicUrl : undefined;
  if (old === undefined || (access === 'sign-in' && old === address.publicUrl)) return [];
  const now = address.publicUrl === undefined ? 'goes' : `becomes ${address.publicUrl}`;
  return [
    `The address ${old} ${now}. No app that has signed in there comes in any more: each has to be connected again${address.publicUrl === undefined ? '' : ' at the new address'}. Passkeys belong to the old address, too; the passphrase stays.`,
  ];
}

/** What to give to `--address` for an address. */
export function addressText({ host, publicUrl }: ServerAddress): string {
  const [word] = Object.entries(words).find(([, known]) => known === host) ?? [];
  return publicUrl ?? word ?? host;
}

function readTyped(shell: Shell, answer: string): ServerAddress {
  const address = readAddress(answer);
  sayTaken(shell, answer, address);
  return address;
}

/** Asks who reaches the server. `usual` is the address that it has now. */
export async function askAddress(shell: Shell, usual?: ServerAddress): Promise<ServerAddress> {
  const hosts = Object.values(words);
  // Who reaches the notes is decided by a person, not by Enter.
  const now = usual && (usual.publicUrl ?? String(hosts.indexOf(usual.host) + 1 || usual.host));
  const chosen = await askQuestion(shell, {
    question: 'Who reaches the server? For claude.ai, ChatGPT and apps on a phone, choose 3.',
    choices: [
      'Only apps on this machine',
      'Computers in my home network, each with a token. claude.ai and apps on a phone cannot use it',
      'The internet, too: apps sign in, and you decide what each may do. Needs an https address of yours',
    ],
    hint: `Type 1, 2 or 3, or the https address, such as ${example}.`,
    ...(now === undefined ? {} : { usual: now }),
    read: (answer) => {
      const host = hosts[Number(answer) - 1];
      if (host !== undefined) return { host };
      return answer === '3' ? undefined : readTyped(shell, answer);
    },
  });
  if (chosen !== undefined) return chosen;
  return askQuestion(shell, {
    question: 'Which https address leads here?',
    choices: [],
    hint: `Type it, such as ${example}.`,
    read: (answer) => {
      const address = readTyped(shell, answer);
      if (address.publicUrl !== undefined) return address;
      throw new VaultError('invalid_input', 'That does not begin with https://.');
    },
  });
}

/**
 * How clients come in: as given, as before at the same address, or as the address suggests. Undefined
 * when they need neither a token nor a sign-in: the server listens on loopback, and clients needed
 * neither `before`. Fails with `invalid_input` for sign-in without an https address.
 */
export function accessFor(
  { publicUrl, host }: ServerAddress,
  {
    given,
    before,
  }: {
    readonly given?: Access | undefined;
    readonly before: { readonly address?: ServerAddress; readonly access?: Access };
  },
): Access | undefined {
  if (given === 'sign-in' && publicUrl === undefined) {
    throw new VaultError(
      'invalid_input',
      `Signing in needs an https address; add --address ${example}, or use --access token.`,
    );
  }
  if (given !== undefined) return given;
  if (publicUrl === undefined) {
    // A proxy or tunnel may still lead here, and must not let everybody in.
    const isOpen = host === words['this-machine'] && before.access === undefined;
    return isOpen ? undefined : 'token';
  }
  const usual = publicUrl === before.address?.publicUrl ? before.access : undefined;
  return usual ?? 'sign-in';
}

/**
 * Fails with `unavailable`, and what to do, when a server cannot listen there. `before` is what setup
 * has decided the last time: its own server may run there, started by hand.
 */
export async function checkFree(
  place: { host: string; port: number },
  {
    before,
    env,
  }: {
    readonly before: { readonly vaultPath?: string; readonly port?: number };
    readonly env: Shell['env'];
  },
): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ ...place, exclusive: true }, resolve);
    });
  } catch (error) {
    const { code, message, details } = cannotListen(error, place);
    if (before.port === place.port && (await runsFor(before.vaultPath, env))) {
      throw new VaultError(
        code,
        `The server that setup has made runs at port ${place.port} already, started by hand. If you want to change how it is set up, end it first (Ctrl-C in its terminal), and then run this again.`,
        { details },
      );
    }
    // "vaultdoor serve" calls this option differently.
    throw new VaultError(code, message.replaceAll('--host', '--address'), { details });
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

/** Whether a server of the vault at this path runs. */
async function runsFor(path: string | undefined, env: Shell['env']): Promise<boolean> {
  if (path === undefined) return false;
  const real = await realpath(path).catch(() => path);
  const folders = vaultFolders(real, env, process.platform);
  const socket = await connectLocal(localSocketPath(folders, process.platform));
  if (socket !== undefined && socket !== 'busy') socket.destroy();
  return socket !== undefined;
}
