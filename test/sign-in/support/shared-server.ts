import { beforeAll, beforeEach } from 'vitest';
import type { TestBrowser } from '../../support/sign-in-door.ts';
import { expectNoSecret } from './expected-answers.ts';
import { SignInServer, type SignInServerOptions } from './sign-in-server.ts';
import { ownersBrowser, TrialClient } from './trial-client.ts';

const hourMs = 3_600_000;

/**
 * A server that all tests of a file, or of a group, share. Before each of them time has passed, so that
 * sessions have ended and nothing wrong is counted any more, and no client is connected. Nothing that
 * it has logged may be secret.
 */
export function sharedServer(options: SignInServerOptions = {}): () => SignInServer {
  let server: SignInServer | undefined;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    const onFinished = (end: () => unknown): void => void ends.push(end);
    server = await SignInServer.start({ ...options, onFinished });
    return async () => {
      for (const end of ends.reverse()) await end();
    };
  });
  beforeEach(async () => {
    server?.pass(hourMs);
    server?.fetched.splice(0);
    for (const { id } of (await server?.grants()) ?? []) {
      await server?.books.oauth.change(id, () => ({ keep: 'forget', answer: undefined }));
    }
    return () => {
      if (server !== undefined) expectNoSecret(server);
      server?.log.splice(0);
    };
  });
  return () => {
    if (server === undefined) throw new Error('The server has not started.');
    return server;
  };
}

/** A shared server with the browser of its owner, and a client that has registered itself. */
export interface Trial {
  readonly server: SignInServer;
  readonly owner: TestBrowser;
  readonly client: TrialClient;
}

/** Makes a new browser and a new client for each test, at a server that they share. */
export function sharedTrial(
  options: SignInServerOptions = {},
  metadata: Parameters<typeof TrialClient.register>[1] = {},
): () => Promise<Trial> {
  const shared = sharedServer(options);
  return async () => {
    const server = shared();
    const owner = await ownersBrowser(server);
    return { server, owner, client: await TrialClient.register(server, metadata) };
  };
}
