import type { Caller } from '../../base/caller.ts';
import type { Asker } from '../ports/questions.ts';

/** Who makes a call, as questions and proposals keep it. */
export function askerOf({
  door,
  client,
  viewOf,
  connection = viewOf,
  token,
}: Pick<Caller, keyof Asker | 'viewOf'>): Asker {
  return {
    door,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { connection }),
    ...(token === undefined ? {} : { token }),
  };
}

/**
 * Whose changes the brake counts together, and for whom a permission for the session holds: the
 * token or the app that has signed in, over all its connections; without either the connection, else
 * door and client.
 */
export function askerKey({ door, client, connection, token }: Asker): string {
  if (token !== undefined) return JSON.stringify({ token });
  if (connection !== undefined) return JSON.stringify({ connection });
  return JSON.stringify({ door, client });
}

/** Whether two askers count as the same: they have one token, or without one the same door and client. */
export function isSameAsker(one: Asker, two: Asker): boolean {
  if (one.token !== undefined || two.token !== undefined) return one.token === two.token;
  return one.door === two.door && one.client === two.client;
}
