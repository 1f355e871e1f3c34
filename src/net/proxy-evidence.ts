/** Headers that only a proxy or tunnel adds. */
const forwardedHeaders = [
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Server',
  'X-Forwarded-Port',
  'X-Forwarded-By',
  'Forwarded-For',
  'X-Original-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Ray',
  'CDN-Loop',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'Ngrok-Trace-Id',
  'Tailscale-User-Login',
  'X-Amzn-Trace-Id',
  'X-Azure-ClientIP',
  'Via',
];

/**
 * A sentence that names the headers by which we see that a proxy or tunnel forwarded a request;
 * undefined when there are none. Forwarded requests matter because all of them seem to come from
 * the machine of the proxy, often this one. Some programs write "_" for "-" in the names of headers
 * and take both for the same, so we do too.
 */
export function proxyEvidence(headers: Headers): string | undefined {
  const sent = new Set([...headers.keys()].map((name) => name.replaceAll('_', '-')));
  const found = forwardedHeaders.filter((name) => sent.has(name.toLowerCase()));
  if (found.length === 0) return undefined;
  return `These headers (${found.join(', ')}) show that a proxy or tunnel forwarded this request.`;
}
