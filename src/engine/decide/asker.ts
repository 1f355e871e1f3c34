import type { Caller } from '../../base/caller.ts';
import type { Asker } from '../ports/questions.ts';
import type { ChangeFilter } from '../ports/state-store.ts';

/** Who makes a call, as questions and proposals keep it. */
export function askerOf({ door, client, connection, token }: Caller): Asker {
  return {
    door,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { connection }),
    ...(token === undefined ? {} : { token }),
  };
}

/** Whose changes the brake counts together: those of a connection, else of a token, else of a client. */
export function countedTogether({ door, client, connection, token }: Asker): ChangeFilter {
  if (connection !== undefined) return { connection };
  if (token !== undefined) return { token };
  return { door, ...(client === undefined ? {} : { client }) };
}

/** The same as a text, under which a permission for the session is kept. */
export function askerKey(asker: Asker): string {
  return JSON.stringify(countedTogether(asker));
}
