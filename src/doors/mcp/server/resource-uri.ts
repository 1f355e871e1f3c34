import { VaultError } from '../../../base/vault-error.ts';

/** A file of a vault, which is named where there are several. */
export interface ResourceAddress {
  readonly vault?: string;
  readonly path: string;
}

/** The template of all addresses, where there is one vault and where there are several. */
export const resourceTemplates = { one: 'vault:///{path}', several: 'vault://{vault}/{path}' };

/** The address of a file: its vault if that is named, and its path, each name percent-encoded. */
export function resourceUri({ vault = '', path }: ResourceAddress): string {
  return `vault://${encodeName(vault)}/${path.split('/').map(encodeName).join('/')}`;
}

/** The file that an address means; slashes may be encoded or not. Fails with `invalid_input`. */
export function resourceAddress(uri: string): ResourceAddress {
  const { vault = '', path = '' } =
    /^vault:\/\/(?<vault>[^/]*)\/(?<path>.*)$/s.exec(uri)?.groups ?? {};
  try {
    const decoded = decodeURIComponent(path);
    if (decoded !== '') {
      return { path: decoded, ...(vault === '' ? {} : { vault: decodeURIComponent(vault) }) };
    }
  } catch {
    // Falls through: a stray percent sign.
  }
  throw new VaultError(
    'invalid_input',
    'An address of a note is "vault:///" and its path, percent-encoded; where there are several vaults, "vault://", the name of its vault, "/" and its path.',
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
