/** Registers a program with a site. Its answers go to `redirect`. */
export async function registered(site, redirect, name = 'A test') {
  const answer = await fetch(`${site}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect] }),
  });
  return (await answer.json()).client_id;
}

/** The address to which a program sends its user. */
export function askUrl(site, { client, redirect, state = 'x' }) {
  const url = new URL(`${site}/authorize`);
  url.search = new URLSearchParams({
    client_id: client,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state,
  });
  return url.href;
}
