import type { ServerAnswer, ServerQuestion } from '../../node/oauth/ask-server.ts';
import type { Issuer } from '../../oauth/grants/issuer.ts';
import { jsonOf, shownSent, type Trouble } from './server-finding.ts';

/** One thing that clients need of the server, how to ask for it, and how to judge the answer. */
export interface ServerCheck {
  readonly name: string;
  readonly question: ServerQuestion;
  /** What is said when all is well. */
  readonly says: string;
  /** Redirects to addresses that begin so are no fault. */
  readonly mayLeadTo?: string;
  /** The sentence for a server that serves nothing at this address by choice; absent where that is a fault. */
  readonly without?: string;
  /** What is wrong with an answer that came from the server itself. */
  readonly judge: (answer: ServerAnswer) => Trouble | undefined;
}

/** Nothing that a server gave out: it only shows whether the header arrives. */
const noToken = 'vda_sent-by-vaultdoor-doctor-and-never-valid';

const json = { accept: 'application/json' };
const ping = {
  headers: {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
};

/** What is asked of a server, in the order in which clients need it. */
export function serverChecks(issuer: Issuer): readonly ServerCheck[] {
  const { origin, path, url, resource } = issuer;
  const at = (address: string): URL => new URL(address);
  const document = `${origin}/.well-known/oauth-protected-resource${path}/mcp`;
  const root: ServerCheck = {
    name: 'resource document at the root',
    question: {
      method: 'GET',
      url: at(`${origin}/.well-known/oauth-protected-resource`),
      headers: json,
    },
    says: 'The same document is at the root, where some apps look for it.',
    judge: (answer) => resourceTrouble(answer, issuer),
  };
  const consoleChecks: readonly ServerCheck[] = [
    {
      name: '/c/',
      question: { method: 'GET', url: at(`${origin}/c/`), headers: { accept: 'text/html' } },
      says: 'The console is there.',
      without: noConsole,
      judge: (answer) => pageTrouble(answer, '/c/'),
    },
    {
      name: '/c/api',
      question: { method: 'GET', url: at(`${origin}/c/api/me`), headers: json },
      says: 'It answers nobody who is not signed in.',
      without: noConsole,
      judge: consoleTrouble,
    },
  ];
  return [
    {
      name: 'resource document',
      question: { method: 'GET', url: at(document), headers: json },
      says: `The document of the resource names ${resource} and where to sign in.`,
      judge: (answer) => resourceTrouble(answer, issuer),
    },
    // Below a path, the root belongs to whatever else is on the host.
    ...(path === '' ? [root] : []),
    {
      name: 'server document',
      question: {
        method: 'GET',
        url: at(`${origin}/.well-known/oauth-authorization-server${path}`),
        headers: json,
      },
      says: `The document of the sign-in server names ${url} and its addresses.`,
      judge: (answer) => serverTrouble(answer, issuer),
    },
    {
      name: 'WWW-Authenticate',
      question: { method: 'POST', url: at(resource), ...ping },
      says: 'A call without a token is answered with 401 and with where to sign in.',
      judge: (answer) => challengeTrouble(answer, { what: 'POST /mcp', document, url }),
    },
    {
      name: 'GET /mcp',
      question: { method: 'GET', url: at(resource), headers: { accept: 'text/event-stream' } },
      says: 'The same holds for GET, with which some apps begin.',
      judge: (answer) => challengeTrouble(answer, { what: 'GET /mcp', document, url }),
    },
    {
      name: 'Authorization',
      question: {
        method: 'POST',
        url: at(resource),
        body: ping.body,
        headers: { ...ping.headers, authorization: `Bearer ${noToken}` },
      },
      says: 'The header Authorization arrives at the server.',
      judge: authorizationTrouble,
    },
    {
      name: '/register',
      question: {
        method: 'OPTIONS',
        url: at(`${url}/register`),
        headers: {
          origin: 'https://client.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      },
      says: 'Apps can register themselves.',
      judge: registerTrouble,
    },
    {
      name: '/token',
      question: {
        method: 'POST',
        url: at(`${url}/token`),
        headers: { ...json, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=authorization_code',
      },
      says: 'What /token answers arrives as it is.',
      judge: tokenTrouble,
    },
    {
      name: '/authorize',
      question: { method: 'GET', url: at(`${url}/authorize`), headers: { accept: 'text/html' } },
      says: 'The page where you allow an app is there.',
      judge: (answer) => pageTrouble(answer, '/authorize'),
    },
    {
      name: '/owner',
      question: { method: 'GET', url: at(`${url}/owner`), headers: { accept: 'text/html' } },
      says: 'Your own page is there.',
      mayLeadTo: `${url}/owner`,
      judge: (answer) => pageTrouble(answer, '/owner') ?? noOwnerTrouble(answer, url),
    },
    // The console is only at the root of an address.
    ...(path === '' ? consoleChecks : []),
  ];
}

const noConsole = 'This server has no console (--no-console).';

const passAsItIs =
  'Let the proxy pass this path as it is, also answers with 400 and 401 (nginx: "proxy_intercept_errors off").';

const passChallenge = 'Let the proxy pass the header WWW-Authenticate.';

function startWith(url: string): string {
  return `Start the server with --public-url ${url} and without --oauth off, and let the proxy keep the Host header.`;
}

/** Judges the object in a document; without one, that is what is wrong. */
function inDocument(
  answer: ServerAnswer,
  judge: (document: Readonly<Record<string, unknown>>) => Trouble | undefined,
): Trouble | undefined {
  const document = answer.status === 200 ? jsonOf(answer) : undefined;
  if (document !== undefined) return judge(document);
  const type = answer.headers.get('content-type') ?? 'no type';
  return {
    says: `The document is not JSON with the status 200, but "${shownSent(type)}" with ${answer.status}.`,
    change: passAsItIs,
  };
}

/** The first member of a document that is not as it must be. */
function wrongMember(
  members: readonly (readonly [name: string, value: unknown, expected: string])[],
  url: string,
): Trouble | undefined {
  for (const [name, value, expected] of members) {
    if (value === expected) continue;
    const is = value === undefined ? 'is missing' : `is ${shownSent(JSON.stringify(value))}`;
    return { says: `"${name}" ${is}; it must be "${expected}".`, change: startWith(url) };
  }
  return undefined;
}

function resourceTrouble(answer: ServerAnswer, { url, resource }: Issuer): Trouble | undefined {
  return inDocument(answer, (document) => {
    const [first] = listOf(document['authorization_servers']);
    const members = [
      ['resource', document['resource'], resource],
      ['authorization_servers', first, url],
    ] as const;
    return wrongMember(members, url);
  });
}

function serverTrouble(answer: ServerAnswer, { url }: Issuer): Trouble | undefined {
  return inDocument(answer, (document) => {
    const [method] = listOf(document['code_challenge_methods_supported']);
    const members = [
      ['issuer', document['issuer'], url],
      ['authorization_endpoint', document['authorization_endpoint'], `${url}/authorize`],
      ['token_endpoint', document['token_endpoint'], `${url}/token`],
      ['registration_endpoint', document['registration_endpoint'], `${url}/register`],
      ['code_challenge_methods_supported', method, 'S256'],
    ] as const;
    return wrongMember(members, url);
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is wrong with the answer to a call without a token. */
function challengeTrouble(
  { status, headers }: ServerAnswer,
  {
    what,
    document,
    url,
  }: { readonly what: string; readonly document: string; readonly url: string },
): Trouble | undefined {
  if (status >= 200 && status < 300) {
    return {
      says: `${what} is answered with ${status}: everybody may use the server without signing in.`,
      change: 'Start the server without --auth none.',
    };
  }
  if (status !== 401) {
    return {
      says: `${what} is answered with ${status} instead of 401, so apps do not begin to sign in.`,
      change: passAsItIs,
    };
  }
  const challenge = headers.get('www-authenticate');
  if (challenge === null) {
    return {
      says: `The answer to ${what} has no WWW-Authenticate header, so apps do not learn where to sign in.`,
      change: passChallenge,
    };
  }
  if (!/^bearer\b/i.test(challenge)) {
    return {
      says: `${what} asks for another login: ${shownSent(challenge)}`,
      change: 'Turn off the login of the proxy for the paths that deploy/Caddyfile lists.',
    };
  }
  const [, named] = /\bresource_metadata="([^"]*)"/.exec(challenge) ?? [];
  if (named === document) return undefined;
  const is = named === undefined ? 'names no document' : `names ${shownSent(named)}`;
  return { says: `WWW-Authenticate ${is}; it must name ${document}.`, change: startWith(url) };
}

/** What is wrong with the answer to a call with a token that was never valid. */
function authorizationTrouble({ status, headers, text }: ServerAnswer): Trouble | undefined {
  const challenge = headers.get('www-authenticate') ?? '';
  if (status === 401 && /\berror="invalid_token"/.test(challenge)) return undefined;
  // The server has counted too many wrong tokens, so it has seen this one.
  if (status === 429 && text.includes('Too many wrong tokens')) return undefined;
  if (status === 401 && !headers.has('www-authenticate')) {
    return {
      says: 'Whether the header Authorization arrives cannot be told, because the answer has no WWW-Authenticate header.',
      change: passChallenge,
    };
  }
  if (status === 401 && /^bearer\b/i.test(challenge)) {
    return {
      says: 'The header Authorization does not arrive: the server answers as if no token was sent.',
      change: 'Let the proxy pass the header Authorization (Apache: "CGIPassAuth On").',
    };
  }
  return {
    says: `A call with a wrong token is answered with ${status} and not with 401 and error="invalid_token".`,
    change: passAsItIs,
  };
}

function registerTrouble({ status, headers }: ServerAnswer): Trouble | undefined {
  if (status < 200 || status >= 300) {
    return {
      says: `OPTIONS /register is answered with ${status}, so apps cannot register themselves.`,
      change: 'Let the proxy pass /register with all methods.',
    };
  }
  if (headers.get('access-control-allow-origin') === '*') return undefined;
  return {
    says: 'The answer of /register has no "Access-Control-Allow-Origin: *", so web pages cannot register.',
    change:
      'Let the proxy pass OPTIONS requests to the server, and add no CORS headers of its own.',
  };
}

function tokenTrouble(answer: ServerAnswer): Trouble | undefined {
  const { status } = answer;
  const error = jsonOf(answer)?.['error'];
  if (typeof error === 'string' && status >= 400 && status < 500) return undefined;
  return {
    says: `POST /token is answered with ${status} and without the JSON of the server; apps then ask you to sign in again and again.`,
    change: passAsItIs,
  };
}

/** What is wrong when the owner's page answers that there is no owner yet. */
function noOwnerTrouble({ text }: ServerAnswer, url: string): Trouble | undefined {
  if (!text.includes('This server has no owner yet')) return undefined;
  return {
    says: 'The server has no owner yet, so nobody can sign in.',
    change: `Open ${url}/owner/set-up and type the code that "vaultdoor serve" has printed, or run "vaultdoor owner set" on the server.`,
  };
}

/** Asked without signing in, the console must refuse. Returns what is wrong if it answers otherwise. */
function consoleTrouble(answer: ServerAnswer): Trouble | undefined {
  const { code } = Object(jsonOf(answer)?.['error']) as { code?: unknown };
  if (answer.status === 401 && code === 'signed_out') return undefined;
  return {
    says: `GET /c/api/me is answered with ${answer.status} and without the JSON of the server, so the console cannot be used.`,
    change: passAsItIs,
  };
}

/** Whether a page is ours is seen by its rules for browsers, which must arrive in any case. */
function pageTrouble({ status, headers }: ServerAnswer, path: string): Trouble | undefined {
  const isPage = /\bhtml\b/i.test(headers.get('content-type') ?? '');
  if (!isPage || (status !== 200 && status !== 400)) {
    return {
      says: `${path} is answered with ${status} and not with a page of Vaultdoor.`,
      change: passAsItIs,
    };
  }
  const rules = headers.get('content-security-policy') ?? '';
  if (rules.includes("frame-ancestors 'none'")) return undefined;
  return {
    says: `The page ${path} has lost its header Content-Security-Policy, or is not of Vaultdoor.`,
    change:
      'Let the proxy pass the path to the server, and let it neither remove nor replace Content-Security-Policy.',
  };
}
