import type { Asker } from '../../engine/ports/questions.ts';

/** Who asks, whatever the connection: the token, or, without one, the door and the client. */
export function askerId({ token, door, client }: Asker): string {
  return JSON.stringify(token === undefined ? [door, client ?? null] : [token]);
}
