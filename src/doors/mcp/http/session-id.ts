import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type InitializeRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { showsViews, viewCapabilities } from '../server/app-views.ts';
import { showsForms } from '../server/ask-client.ts';

/** What the id of a session says about it: enough to revive the session after a restart. */
export interface SessionFacts {
  /** Random; the history groups the changes of a session by it. */
  readonly connection: string;
  readonly beganMs: number;
  readonly protocolVersion: string;
  /** Whether the client can show forms to the user. */
  readonly asks: boolean;
  /** Whether the client shows views; see `AppViews`. */
  readonly views?: true;
  readonly client: { readonly name: string; readonly version: string };
}

/** The token of the session's owner, and the key that its id is signed with. */
interface SessionSigner {
  readonly key: Uint8Array;
  readonly token: string | undefined;
}

/** Longer names and versions of clients are cut, because the id is sent with every request. */
const nameCharsMax = 40;

/** The facts of a new session, from the client's handshake. */
export function newSessionFacts(
  { protocolVersion, capabilities, clientInfo }: InitializeRequest['params'],
  beganMs: number,
): SessionFacts {
  const isKnown = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
  return {
    connection: randomUUID(),
    beganMs,
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    asks: showsForms(capabilities),
    ...(showsViews(capabilities) ? { views: true } : {}),
    client: {
      name: clientInfo.name.slice(0, nameCharsMax),
      version: clientInfo.version.slice(0, nameCharsMax),
    },
  };
}

/** The handshake of a session, rebuilt from its facts. */
export function handshakeOf(facts: SessionFacts): InitializeRequest['params'] {
  const { protocolVersion, asks, views, client } = facts;
  const capabilities = {
    ...(asks ? { elicitation: {} } : {}),
    ...(views ? viewCapabilities : {}),
  };
  return { protocolVersion, capabilities, clientInfo: client };
}

/** The id: the UUID of the connection, the other facts, and a signature over both and the token. */
export function signSessionId(facts: SessionFacts, signer: SessionSigner): string {
  const { connection, beganMs, protocolVersion, asks, views, client } = facts;
  const values = [beganMs, protocolVersion, asks, client.name, client.version];
  if (views) values.push(views);
  const unsigned = `${connection}.${Buffer.from(JSON.stringify(values)).toString('base64url')}`;
  return `${unsigned}.${signatureOf(unsigned, signer)}`;
}

/** The facts in an id; undefined unless the id was signed with this key for this token. */
export function readSessionId(id: string, signer: SessionSigner): SessionFacts | undefined {
  const shape =
    /^(?<unsigned>(?<connection>[0-9a-f-]{36})\.(?<facts>[\w-]{1,500}))\.(?<signature>[\w-]{22})$/;
  const {
    unsigned = '',
    connection = '',
    facts = '',
    signature = '',
  } = shape.exec(id)?.groups ?? {};
  const given = Buffer.from(signature);
  const right = Buffer.from(signatureOf(unsigned, signer));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [beganMs, protocolVersion, asks, name, version, views] = JSON.parse(
    Buffer.from(facts, 'base64url').toString(),
  ) as [number, string, boolean, string, string, true?];
  const client = { name, version };
  return { connection, beganMs, protocolVersion, asks, ...(views && { views }), client };
}

/**
 * The signature, 128 bits. `session-1` is the version of the format: other versions do not match.
 */
function signatureOf(unsigned: string, { key, token = '' }: SessionSigner): string {
  const whole = createHmac('sha256', key).update(`session-1.${unsigned}.${token}`).digest();
  return whole.subarray(0, 16).toString('base64url');
}
