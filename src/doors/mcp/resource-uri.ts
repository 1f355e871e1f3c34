import { VaultError } from '../../base/vault-error.ts';

/** Where every resource's address begins. */
const start = 'vault:///';

/** The template of all addresses. */
export const resourceTemplate = `${start}{path}`;

/** The address of a file of the vault: its path, each name of it percent-encoded. */
export function resourceUri(path: string): string {
  return start + path.split('/').map(encodeName).join('/');
}

/** The path in an address; slashes may be encoded or not. Fails with `invalid_input`. */
export function resourcePath(uri: string): string {
  if (uri.startsWith(start)) {
    try {
      return decodeURIComponent(uri.slice(start.length));
    } catch {
      // Falls through: a stray percent sign.
    }
  }
  throw new VaultError(
    'invalid_input',
    `An address of a note is "${start}" and its path, percent-encoded.`,
  );
}

/** What the content of a file is, by its name. */
export function mimeType(path: string): string {
  if (path.endsWith('.canvas')) return 'application/json';
  return path.endsWith('.base') ? 'application/yaml' : 'text/markdown';
}

/** A name that is not Unicode has no address; it is shown with what cannot be read left out. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
}
