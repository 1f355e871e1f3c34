/** Bytes in lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The SHA-256 of a text in hex: how tokens, codes, secrets and cookies are kept. */
export function sha256Hex(crypto: { sha256(text: string): Uint8Array }, text: string): string {
  return toHex(crypto.sha256(text));
}
