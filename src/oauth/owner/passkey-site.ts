/** One public address of the server, as passkeys see it: a passkey belongs to the name of its host. */
export interface PasskeySite {
  /** The name of the host without the port; WebAuthn calls it the rpId. */
  readonly host: string;
  readonly origin: string;
}

/** Whether browsers make passkeys for this site: they do for names, and refuse for IP addresses. */
export function canHavePasskeys({ host }: PasskeySite): boolean {
  return !host.includes(':') && !/^[0-9.]+$/.test(host);
}
