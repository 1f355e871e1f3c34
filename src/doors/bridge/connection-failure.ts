import { VaultError } from '../../base/vault-error.ts';

/** What Node calls a connection that ended before the answer was complete. */
const broken: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);
const unknownHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

/** Why no answer came from a server, in a sentence that says what to do; a `VaultError` as it is. */
export function connectionFailure(error: unknown, url: string): VaultError {
  if (error instanceof VaultError) return error;
  const code = codeOf(error);
  return new VaultError('unavailable', sentence(code, url), { cause: error, details: { code } });
}

function sentence(code: string, url: string): string {
  if (code === 'ECONNREFUSED') {
    return `Nothing listens at ${url}. Start Obsidian with the plugin, or "vaultdoor serve --bridge --vault <folder>".`;
  }
  if (unknownHost.has(code)) {
    return `The host of ${url} is not known (${code}). Check the address and the network.`;
  }
  if (broken.has(code)) {
    return `The connection to ${url} broke before the answer was there (${code}). What was asked may have been done: look before you ask again.`;
  }
  if (code.startsWith('HPE_') || code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const spoken = url.startsWith('https:') ? 'HTTPS' : 'HTTP';
    return `What listens at ${url} does not speak ${spoken} (${code}). Check the address: https or http, and the port.`;
  }
  return `The server at ${url} cannot be reached (${code}). Check the address and the network.`;
}

/** The system's name for it: letters, digits and underscores. */
function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown';
}
