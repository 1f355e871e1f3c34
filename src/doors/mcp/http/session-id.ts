import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  type InitializeRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { showsForms } from '../server/ask-client.ts';

/** What the id of a session tells of it: enough to begin it anew when nothing else is left. */
export interface SessionFacts {
  /** Random; history groups by it what was done through this session. */
  readonly connection: string;
  readonly beganMs: number;
  readonly protocolVersion: string;
  /** Whether the client can ask the person behind it. */
  readonly asks: boolean;
  readonly client: { readonly name: string; readonly version: string };
}

/** Whose session it is, and the key that its id is signed with. */
export interface SessionSigner {
  readonly key: Uint8Array;
  readonly token: string | undefined;
}

/** Longer names and versions of clients are cut: the id travels with every request. */
const nameCharsMax = 40;

/** The facts of a session that begins with this handshake. */
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
    client: {
      name: clientInfo.name.slice(0, nameCharsMax),
      version: clientInfo.version.slice(0, nameCharsMax),
    },
  };
}

/** The handshake of a session as far as its facts tell. */
export function handshakeOf(facts: SessionFacts): InitializeRequest['params'] {
  const { protocolVersion, asks, client } = facts;
  return { protocolVersion, capabilities: asks ? { elicitation: {} } : {}, clientInfo: client };
}

/** The id: the UUID of the connection, the other facts, and a signature over both and the token. */
export function signSessionId(facts: SessionFacts, signer: SessionSigner): string {
  const { connection, beganMs, protocolVersion, asks, client } = facts;
  const values = [beganMs, protocolVersion, asks, client.name, client.version];
  const unsigned = `${connection}.${Buffer.from(JSON.stringify(values)).toString('base64url')}`;
  return `${unsigned}.${signatureOf(unsigned, signer)}`;
}

/** The facts in an id that was signed like this; undefined for every other text. */
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
  const [beganMs, protocolVersion, asks, name, version] = JSON.parse(
    Buffer.from(facts, 'base64url').toString(),
  ) as [number, string, boolean, string, string];
  return { connection, beganMs, protocolVersion, asks, client: { name, version } };
}

/** 128 bits. The first word is the version of the format: what another one has signed is void. */
function signatureOf(unsigned: string, { key, token = '' }: SessionSigner): string {
  const whole = createHmac('sha256', key).update(`session-1.${unsigned}.${token}`).digest();
  return whole.subarray(0, 16).toString('base64url');
}
