import type { Issuer } from './issuer.ts';

/**
 * The address that leads back to the client: the redirect URI with the answer and the issuer added to
 * its query, so that the client knows which server has answered. Values that are undefined are left
 * out.
 */
export function redirectBack(
  redirectUri: string,
  issuer: Issuer,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...answer, iss: issuer.url })) {
    if (value !== undefined) added.append(name, value);
  }
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  // Some clients of private schemes do not read "+" as a space. A real "+" is written as "%2B".
  return `${redirectUri}${joint}${added.toString().replaceAll('+', '%20')}`;
}
