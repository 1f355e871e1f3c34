import type { ClientKind } from '../ports/oauth-book.ts';
import { isSameRedirect, redirectTarget } from './redirect-uri.ts';

/** A program that asks to sign in, however it is known. */
export interface Client {
  readonly id: string;
  /** What it calls itself, cleaned; '' when it has no name. */
  readonly name: string;
  readonly kind: ClientKind;
  /** The host of the id, for a client that is known by its document. */
  readonly host?: string;
  /** Whether an answer may go to this address. */
  readonly allowsRedirect: (uri: string) => boolean;
  /**
   * The address for answers when the request names none: present where exactly one is registered, and
   * that one is not a loopback address.
   */
  readonly onlyRedirect?: string;
  /** What to say to the owner when the client asks for an address that is not registered. */
  readonly hint?: string;
}

/** A client with a list of registered addresses, all of which are allowed ones. */
export function clientWith(
  about: Pick<Client, 'id' | 'name' | 'kind' | 'host' | 'hint'>,
  redirectUris: readonly string[],
): Client {
  const [first, ...others] = redirectUris;
  const isOnly =
    first !== undefined && others.length === 0 && redirectTarget(first).kind !== 'loopback';
  return {
    ...about,
    allowsRedirect: (uri) => redirectUris.some((registered) => isSameRedirect(registered, uri)),
    ...(isOnly ? { onlyRedirect: first } : {}),
  };
}
