import { limits } from '../../base/limits.ts';
import { oneLine } from '../../base/one-line.ts';
import type { Client } from '../../oauth/clients/client.ts';

/** What a client is called on pages and in the log: its name, or the host of its id. */
export function clientName({ name, host, id }: Pick<Client, 'name' | 'host' | 'id'>): string {
  return name || (host ?? hostOf(id));
}

/** What a client is called of which only the id is known. */
export function hostOf(id: string): string {
  const host = URL.canParse(id) ? new URL(id).host : '';
  return host === '' ? 'an app without a name' : oneLine(host, limits.clientNameCharsMax);
}
