import type { ClientKind } from '../ports/oauth-book.ts';

/** A connection as the owner sees it. All times and rights are in words. */
export interface OwnerConnection {
  readonly id: string;
  readonly client: string;
  readonly kind: ClientKind;
  /** Where the answer went: a host, `the device where you let it in`, `cursor: links`. */
  readonly answersTo: string;
  /** Such as `the whole vault`, or `Projects, Recipes`. */
  readonly folders: string;
  /** Such as `reads and changes notes`. */
  readonly rights: string;
  /** Such as `notes, agent`. */
  readonly tools: string;
  readonly created: string;
  readonly lastUse: string;
  /** Such as `on 14 February 2027`, or `when you disconnect it`. */
  readonly ends: string;
  /** How many pairs of tokens hold now; more than one is worth a look. */
  readonly pairsNow: number;
  /** Whether it is for other vaults or another address than those of this server. */
  readonly isElsewhere?: boolean;
  /** When and why it has ended, such as `yesterday: you disconnected it`. */
  readonly ended?: string;
}

export interface OwnerPasskey {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly created: string;
  readonly lastUse: string;
}

/** What the owner's page shows. */
export interface OwnerView {
  readonly connections: readonly OwnerConnection[];
  readonly passkeys: readonly OwnerPasskey[];
  /** Whether this address can have passkeys: a name with https, or `localhost`. */
  readonly canAddPasskey: boolean;
  /** The address that programs are given to connect. */
  readonly address: string;
  /** Whether the owner signed in just now. Otherwise passkeys and passphrase ask for it first. */
  readonly isFresh: boolean;
  /** Against forged posts; the field `word` of every form, and of the passkey requests. */
  readonly word: string;
  readonly paths: {
    /** Posts `word` and `id`. */
    readonly revoke: string;
    /** Posts `word`. */
    readonly revokeAll: string;
    /** Posts `word` and `id`. */
    readonly removePasskey: string;
    /** Posts `word`, `passphrase` and `again`. */
    readonly passphrase: string;
    /** Posts `word`. */
    readonly signOut: string;
    /** A link: the sign-in page, also for someone who is signed in. */
    readonly signIn: string;
    /** This page. */
    readonly owner: string;
    /** The address of the passkey script, and of its two requests to add a passkey. */
    readonly passkeyScript: string;
    readonly passkeyOptions: string;
    readonly passkeyAnswer: string;
    /** Posts `word`, and leads to the console; absent where there is none. */
    readonly console?: string;
  };
  /** How many questions and proposals wait for the owner in the console. */
  readonly waiting: number;
  /** What has just been done, or what was wrong. */
  readonly message?: string;
  readonly isError?: boolean;
}
