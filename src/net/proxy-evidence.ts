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
 * A sentence that names the headers by which we see that a proxy or tunnel forwarded a request;
 * undefined when there are none. Forwarded requests matter because all of them seem to come from
 * the machine of the proxy, often this one.
 */
export function proxyEvidence(headers: Headers): string | undefined {
  const found = forwardedHeaders.filter((name) => headers.has(name));
  if (found.length === 0) return undefined;
  return `These headers (${found.join(', ')}) show that a proxy or tunnel forwarded this request.`;
}
