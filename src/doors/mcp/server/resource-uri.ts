import { VaultError } from '../../../base/vault-error.ts';

/** A file, and the name of its vault where there are several vaults. */
interface ResourceAddress {
  readonly vault?: string;
  readonly path: string;
}

/** The URI templates of notes, for a server with one vault and with several. */
export const resourceTemplates = { one: 'vault:///{path}', several: 'vault://{vault}/{path}' };

/** The URI of a file: the name of its vault, if given, and its path, both percent-encoded. */
export function resourceUri({ vault = '', path }: ResourceAddress): string {
  return `vault://${encodeName(vault)}/${path.split('/').map(encodeName).join('/')}`;
}

/** The file that a URI names; slashes in the path may be encoded. Fails with `invalid_input`. */
export function resourceAddress(uri: string): ResourceAddress {
  const { vault = '', path = '' } =
    /^vault:\/\/(?<vault>[^/]*)\/(?<path>.*)$/s.exec(uri)?.groups ?? {};
  try {
    const decoded = decodeURIComponent(path);
    if (decoded !== '') {
      return { path: decoded, ...(vault === '' ? {} : { vault: decodeURIComponent(vault) }) };
    }
  } catch {
    // A stray percent sign: refused below.
  }
  throw new VaultError(
    'invalid_input',
    'The URI of a note is "vault:///" and its path, percent-encoded. With several vaults it is "vault://", the name of the vault, "/" and the path.',
  );
}

/** The MIME type of a file, by its extension. */
export function mimeType(path: string): string {
  if (path.endsWith('.canvas')) return 'application/json';
  return path.endsWith('.base') ? 'application/yaml' : 'text/markdown';
}

/** Encodes a name; half surrogate pairs, which no URI can hold, become replacement characters. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'));
}
