/** Headers that only a proxy or tunnel adds. */
const forwardedHeaders = [
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Server',
  'X-Real-IP',
  'CF-Connecting-IP',
  'CF-Ray',
  'True-Client-IP',
  'Tailscale-User-Login',
  'Via',
];

/**
 * The sentence that says how we know that a proxy or tunnel brought a request, which makes everyone
 * look local; undefined where none did.
 */
export function proxyEvidence(headers: Headers): string | undefined {
  const found = forwardedHeaders.filter((name) => headers.has(name));
  if (found.length === 0) return undefined;
  return `These headers (${found.join(', ')}) say that a proxy or tunnel brought this request.`;
}
