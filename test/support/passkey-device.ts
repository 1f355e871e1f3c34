import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Algorithm = -7 | -8 | -257;

/** What a device answers other than it should. */
interface Faults {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly id?: string;
  readonly format?: string;
  readonly key?: Uint8Array;
  /** Bytes after the authenticator data. */
  readonly more?: Uint8Array;
  /** Changes the bytes after they were signed. */
  readonly garble?: 'signature' | 'authenticatorData' | 'clientDataJSON';
}

const present = 0x01;
const verified = 0x04;
const made = 0x40;

/** A passkey in software, as a browser and an authenticator would answer together. */
export class PasskeyDevice {
  readonly id = randomBytes(16).toString('base64url');
  readonly #algorithm: Algorithm;
  readonly #private: KeyObject;
  readonly #public: KeyObject;
  readonly #origin: string;

  constructor(origin: string, algorithm: Algorithm = -7) {
    this.#origin = origin;
    this.#algorithm = algorithm;
    const pair = makePair(algorithm);
    this.#private = pair.privateKey;
    this.#public = pair.publicKey;
  }

  /** Answers `PublicKeyCredentialCreationOptionsJSON`. */
  create(options: object, faults: Faults = {}): Record<string, unknown> {
    const { challenge, rp } = options as { challenge: string; rp: { id: string } };
    const id = faults.id ?? this.id;
    const idBytes = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      hash(faults.host ?? rp.id),
      Buffer.from([faults.flags ?? present | verified | made, 0, 0, 0, 0]),
      Buffer.alloc(16),
      Buffer.from([idBytes.length >> 8, idBytes.length & 255]),
      idBytes,
      faults.key ?? this.#cose(),
      faults.more ?? Buffer.alloc(0),
    ]);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', faults.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, faults).toString(
          'base64url',
        ),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers `PublicKeyCredentialRequestOptionsJSON`. */
  get(options: object, faults: Faults = {}): Record<string, unknown> {
    const { challenge, rpId } = options as { challenge: string; rpId: string };
    const id = faults.id ?? this.id;
    const clientData = this.#clientData('webauthn.get', challenge, faults);
    const authData = Buffer.concat([
      hash(faults.host ?? rpId),
      Buffer.from([faults.flags ?? present | verified, 0, 0, 0, 0]),
      faults.more ?? Buffer.alloc(0),
    ]);
    const signed = Buffer.concat([authData, hash(clientData)]);
    const signature = sign(this.#algorithm === -8 ? null : 'sha256', signed, this.#private);
    const response = { clientDataJSON: clientData, authenticatorData: authData, signature };
    const garbled = faults.garble === undefined ? undefined : response[faults.garble];
    // The last byte but one: the JSON stays readable, and the hash of the host right.
    if (garbled !== undefined) garbled[garbled.length - 2] = (garbled.at(-2) ?? 0) ^ 1;
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(
        Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
      ),
    };
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? this.#origin,
        crossOrigin: faults.crossOrigin ?? false,
        more: 'x',
      }),
    );
  }

  #cose(): Buffer {
    const jwk = this.#public.export({ format: 'jwk' });
    const bytes = (name: 'x' | 'y' | 'n' | 'e'): Buffer =>
      Buffer.from(String(jwk[name]), 'base64url');
    const fields: Record<Algorithm, [number, unknown][]> = {
      [-7]: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes('x')],
        [-3, bytes('y')],
      ],
      [-8]: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes('x')],
      ],
      [-257]: [
        [1, 3],
        [3, -257],
        [-1, bytes('n')],
        [-2, bytes('e')],
      ],
    };
    return cbor(new Map(fields[this.#algorithm]));
  }
}

function makePair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (algorithm === -8) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function hash(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** CBOR of numbers, texts, bytes, lists and maps. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return withHead(3, Buffer.from(value));
  if (value instanceof Uint8Array) return withHead(2, Buffer.from(value));
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...Array.from(value).flat().map(cbor)]);
  }
  throw new Error('this value is not needed here');
}

function withHead(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([head(kind, bytes.length), bytes]);
}

function head(kind: number, size: number): Buffer {
  const first = kind << 5;
  if (size < 24) return Buffer.from([first | size]);
  if (size < 256) return Buffer.from([first | 24, size]);
  return Buffer.from([first | 25, size >> 8, size & 255]);
}
