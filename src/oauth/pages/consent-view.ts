import type { ServedToolset } from '../../base/caller.ts';
import type { ClientKind } from '../ports/oauth-book.ts';

/** What the owner can let a client do; the field `rights` of the form has one of them. */
export type ConsentChoice = 'read' | 'propose' | 'change' | 'delete';

/** For how many days a connection holds; the field `days` of the form has one of them. */
export const consentDays = ['1', '30', '90', '365', 'never'] as const;
export type ConsentDays = (typeof consentDays)[number];

/** What the owner has entered; shown again when something is wrong with it. */
export interface ConsentChosen {
  readonly rights: ConsentChoice;
  readonly where: 'all' | 'folders';
  /** As they were typed. */
  readonly folders: readonly string[];
  readonly tools: readonly ServedToolset[];
  readonly days: ConsentDays;
  /** `new`, or the id of the connection that is changed. */
  readonly grant: string;
}

/** Where the answer goes. */
export type ConsentTarget =
  | { readonly kind: 'web'; readonly host: string }
  | { readonly kind: 'loopback' }
  | { readonly kind: 'app'; readonly scheme: string };

/** A connection that the same client has already, in words. */
export interface ExistingConnection {
  readonly id: string;
  /** Such as `10 November 2026`. */
  readonly created: string;
  /** Such as `yesterday`, or `never`. */
  readonly lastUse: string;
  /** Such as `reads and changes notes in Projects`. */
  readonly rights: string;
}

/** What the consent page shows. */
export interface ConsentView {
  /** Where the form is posted to. */
  readonly action: string;
  /** Against forged posts; the field `word`. */
  readonly word: string;
  readonly client: {
    /** Cleaned; may be empty. */
    readonly name: string;
    readonly kind: ClientKind;
    /** The host of a client whose id is the address of its document. */
    readonly host?: string;
  };
  readonly target: ConsentTarget;
  /** The names of the vaults that are served. */
  readonly vaults: readonly string[];
  /** What the server allows at all, in the order of `ConsentChoice`. */
  readonly choices: readonly ConsentChoice[];
  /** Selected at first; never `delete`. */
  readonly preselected: ConsentChoice;
  /** What the client asked for, where it is among the choices. */
  readonly asked?: ConsentChoice;
  /** Folders at the top of the vaults, as they would be typed. */
  readonly folders: readonly string[];
  readonly existing: readonly ExistingConnection[];
  /** The id of the connection to change, selected at first; without it, a new one is added. */
  readonly changeDefault?: string;
  /** Whether the choice `delete` needs the passphrase once more. */
  readonly needsFresh: boolean;
  /** The last day of each choice, such as `15 February 2027`. */
  readonly lastDays: Readonly<Record<Exclude<ConsentDays, 'never'>, string>>;
  /** After an error: what was entered, what is wrong with it, and at which field. */
  readonly chosen?: ConsentChosen;
  readonly message?: string;
  readonly wrongAt?: 'folders' | 'passphrase';
}
