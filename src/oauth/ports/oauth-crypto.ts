/** What a passphrase costs to check; the figures are kept beside each hash. */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** The public key of a passkey. `algorithm` is the number that COSE gives it. */
export interface PublicKey {
  readonly algorithm: PasskeyAlgorithm;
  readonly jwk: Readonly<Record<string, string>>;
}

/** ES256, RS256, EdDSA. */
export type PasskeyAlgorithm = -7 | -257 | -8;

/** Randomness, hashes and signatures. Texts are hashed as UTF-8. */
export interface OAuthCrypto {
  random(bytes: number): Uint8Array;
  sha256(data: Uint8Array | string): Uint8Array;
  /** HMAC-SHA256. */
  hmac(key: Uint8Array | string, text: string): Uint8Array;
  /** Compares in a time that does not depend on where they differ. False for different lengths. */
  isEqual(one: Uint8Array, other: Uint8Array): boolean;
  /** 32 bytes. Takes a third of a second on purpose; see `OwnerSignIn` for how many run at once. */
  scrypt(passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Uint8Array>;
  /** Whether the signature is right. False for a key or a signature that cannot be read. */
  verify(key: PublicKey, data: Uint8Array, signature: Uint8Array): boolean;
}
