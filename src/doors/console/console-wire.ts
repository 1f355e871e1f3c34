import type { Door, Right, ServedToolset } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import type { VaultErrorCode } from '../../base/vault-error.ts';

/**
 * The JSON that the console's page and this door exchange, beside the answers of tools. Times are in
 * milliseconds since 1970. The page imports these types alone.
 */

/** The body of every answer whose status is not 200. */
export interface ConsoleFailure {
  readonly error: {
    /** `signed_out`: a half of the sign-in is missing, wrong or over. */
    readonly code: VaultErrorCode | 'signed_out';
    /** A sentence for the owner. */
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
    /** Text of notes that explains the failure, such as a diff. */
    readonly excerpt?: string;
  };
}

/** What answers about a vault have beside their own fields: the newest change that they know of. */
interface KnownAt {
  readonly at: number;
}

/** `POST /c/api/enter` takes a one-time key, and answers with the page's half of the sign-in. */
export interface EnterRequest {
  readonly key: string;
}
export interface EnterAnswer {
  /** For `sessionStorage`; sent as `X-Vaultdoor-Console` with every request. */
  readonly key: string;
}

/** `POST /c/api/sign-out`. */
export interface SignOutRequest {
  /** Ends all open consoles, not only this one. */
  readonly everywhere?: boolean;
}

/** Who asks or proposes. The name of a client is what it says of itself. */
export interface AskerRow {
  readonly door: Door;
  readonly client?: string;
  readonly connection?: string;
  readonly token?: string;
  /** The name of the token, or of the client that has signed in. */
  readonly tokenName?: string;
}

/** A question that waits for the owner, or was answered or closed in the last day. */
export interface QuestionRow {
  readonly id: string;
  readonly about: string;
  readonly text: string;
  readonly asker: AskerRow;
  readonly tool: string;
  /** Some of the files, and how many there are in all. */
  readonly paths: readonly string[];
  readonly files: number;
  /** Those of `paths` that would be overwritten; the others would be deleted. Absent if not known. */
  readonly overwrites?: readonly string[];
  /** What would be written over them, as a unified diff; absent where it is not known or too long. */
  readonly diff?: string;
  readonly timeMs: number;
  readonly expiresMs: number;
  readonly answer?: {
    readonly says: 'once' | 'session' | 'deny';
    readonly reason?: string;
    readonly timeMs: number;
  };
  /** The files that have changed since: then this call alone cannot be allowed any more. */
  readonly changed?: readonly string[];
  /** Whether the call has been made; without an answer, it was allowed otherwise. */
  readonly used: boolean;
  /** How many earlier changes `undo` would take back; absent once the question is decided. */
  readonly earlier?: number;
}

/** `GET /c/api/questions`: those that wait, then the decided ones, each the newest first. */
export interface QuestionsAnswer extends KnownAt {
  readonly open: readonly QuestionRow[];
  readonly decided: readonly QuestionRow[];
  /**
   * Whether allowing asks for a passkey: `none` when there is no passkey, `elsewhere` when none works
   * at this address, so that nothing can be allowed here.
   */
  readonly passkey: 'none' | 'here' | 'elsewhere';
}

/**
 * What a passkey has answered (`AuthenticationResponseJSON`). A request that needs it and lacks it fails
 * with `forbidden`, and the failure's `details.passkey` is what the browser asks for it with
 * (`PublicKeyCredentialRequestOptionsJSON`). The page then sends the request again.
 */
interface WithPasskey {
  readonly passkey?: Readonly<Record<string, unknown>>;
}

/** `POST /c/api/questions/<id>`. Allowing needs a passkey where the owner has one. */
export interface AnswerRequest extends WithPasskey {
  readonly says: 'once' | 'session' | 'deny';
  /** For the client to read, on one line; at most `limits.consoleReasonCharsMax` characters. */
  readonly reason?: string;
  /** With `deny`: takes back what the same client had done before. */
  readonly undo?: boolean;
}
export interface AnswerAnswer {
  readonly question: QuestionRow;
  readonly undone?: UndoneFiles;
  readonly undoFailure?: ConsoleFailure['error'];
}

/** What an undo has done; the tool `undo` answers with more. */
interface UndoneFiles {
  readonly undone: readonly ChangeName[];
  readonly restored: readonly string[];
  readonly merged: readonly string[];
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

/** What a proposal would do to a file. */
interface ProposedFile {
  readonly path: string;
  readonly did: 'created' | 'changed' | 'moved' | 'deleted';
  readonly from?: string;
}

export interface ProposalRow {
  readonly id: string;
  readonly state: 'open' | 'accepted' | 'refused';
  /** Set when it was planned again: it is accepted only by `shownAs` then. */
  readonly replanned?: true;
  readonly timeMs: number;
  readonly expiresMs: number;
  readonly tool: string;
  /** The arguments that history may keep, such as the name of a property. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly asker: AskerRow;
  readonly files: readonly ProposedFile[];
  /** The change that was made of it. */
  readonly change?: number;
  readonly reason?: string;
  readonly decidedMs?: number;
}

/** `GET /c/api/proposals?session=&client=`: those that wait, then the decided ones. */
export interface ProposalsAnswer extends KnownAt {
  readonly open: readonly ProposalRow[];
  readonly decided: readonly ProposalRow[];
}

/** `GET /c/api/proposals/<id>`: as it would be made now. */
export interface ProposalAnswer extends KnownAt {
  readonly proposal: ShownProposalRow;
  /** Why it cannot be made now. */
  readonly problem?: string;
}
export interface ShownProposalRow extends ProposalRow {
  /** Its id with a hash of the plan: accepting by this name accepts only what was shown. */
  readonly shownAs: string;
  /** A unified diff. */
  readonly diff: string;
}

/** `POST /c/api/proposals/accept` and `/refuse`: by name (`id` or `shownAs`). */
export interface DecideRequest {
  readonly names: readonly string[];
  /** With refuse: for the client to read. */
  readonly reason?: string;
}
export interface DecideAnswer {
  readonly results: readonly DecidedRow[];
}
export type DecidedRow =
  | {
      readonly outcome: 'made';
      readonly id: string;
      readonly change: ChangeName;
      readonly rest?: string;
    }
  /** The plan was another than the shown one: look again. */
  | { readonly outcome: 'replanned'; readonly id: string; readonly proposal: ShownProposalRow }
  | { readonly outcome: 'refused' | 'nothing'; readonly id: string }
  | { readonly outcome: 'decided'; readonly id: string; readonly proposal: ProposalRow }
  /** `why` says it for the proposal's card. */
  | {
      readonly outcome: 'failed';
      readonly id: string;
      readonly error: ConsoleFailure['error'];
      readonly why: string;
    };

/** A token of an agent. */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly effects: readonly Right[];
  /** `['']` is the whole vault. */
  readonly folders: readonly string[];
  /** Absent for the toolsets of the server. */
  readonly tools?: readonly ServedToolset[];
  readonly createdMs: number;
  readonly expiresMs?: number;
  readonly lastCall?: LastCall;
}

/** When a client last called over HTTP with a token or grant, to the minute after a restart. */
export interface LastCall {
  readonly timeMs: number;
  readonly client?: string;
}

/** `GET /c/api/tokens`. */
export interface TokensAnswer {
  readonly tokens: readonly TokenRow[];
}

/** `POST /c/api/tokens`. */
export interface CreateTokenRequest {
  readonly name: string;
  readonly effects: readonly Right[];
  /** The whole vault when absent. */
  readonly folders?: readonly string[];
  readonly tools?: readonly ServedToolset[];
  /** Never expires when absent. */
  readonly expiresMs?: number;
}
export interface CreateTokenAnswer {
  /** Shown once; it cannot be read again. */
  readonly token: string;
  readonly kept: TokenRow;
}

/** `GET /c/api/grants`: clients that have signed in. `DELETE /c/api/grants/<id>` ends one. */
export interface GrantsAnswer {
  readonly grants: readonly GrantRow[];
}
export interface GrantRow {
  readonly id: string;
  readonly client: {
    readonly name: string;
    readonly kind: 'known' | 'document' | 'registered' | 'entered';
    readonly answersTo: string;
  };
  readonly effects: readonly Right[];
  readonly folders: readonly string[];
  readonly tools: readonly ServedToolset[];
  readonly createdMs: number;
  readonly usedMs?: number;
  readonly endsMs?: number;
  readonly lastCall?: LastCall;
}

/** `GET /c/api/open-sessions`: open MCP sessions. `DELETE /c/api/open-sessions/<id>` ends one. */
export interface OpenSessionsAnswer {
  readonly sessions: readonly OpenSessionRow[];
}
interface OpenSessionRow {
  /** The `connection` of its changes. */
  readonly id: string;
  readonly client?: string;
  readonly token?: string;
  readonly tokenName?: string;
  readonly beganMs: number;
  readonly usedMs: number;
  /** Whether the client has a stream open, or has called within the last two minutes. */
  readonly isConnected: boolean;
}

/** `GET /c/api/passkeys`. */
export interface PasskeysAnswer {
  readonly passkeys: readonly PasskeyRow[];
}
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  /** The name of the host that it belongs to. */
  readonly host: string;
  readonly createdMs: number;
  readonly usedMs?: number;
  /** Whether it works at the address at which the page is open. */
  readonly worksHere: boolean;
}

/** `POST /c/api/passkeys/remove`. */
export interface RemovePasskeyRequest extends WithPasskey {
  readonly id: string;
}

/** `GET /c/api/reads?client=&path=&since=&limit=`, where `since` is a time in milliseconds. */
export interface ReadsAnswer {
  readonly reads: readonly ReadRow[];
  readonly more: boolean;
  /** Whether nothing was ever logged: the server was not started with `--log-reads`. */
  readonly isEmpty: boolean;
}
export interface ReadRow extends AskerRow {
  readonly timeMs: number;
  readonly tool: string;
  readonly paths: readonly string[];
  readonly morePaths?: number;
  readonly bytes: number;
}

/**
 * The events of `GET /c/api/events`. Each has the id of its line `id:`, a number that grows; after a
 * gap the page asks again for what it shows. `vault` is the vault's name.
 */
export type ConsoleEvent =
  | {
      readonly event: 'hello';
      readonly data: {
        readonly version: string;
        readonly vaults: readonly { readonly vault: string; readonly at: number }[];
      };
    }
  | { readonly event: 'change'; readonly data: ChangeEvent }
  | {
      readonly event: 'question';
      readonly data: { readonly vault: string; readonly open: number; readonly proposals: number };
    }
  | {
      readonly event: 'index';
      readonly data: {
        readonly vault: string;
        readonly stage: string;
        readonly done: number;
        readonly total?: number;
      };
    }
  /** Files may have changed, by whichever program: the index has looked at some again. */
  | { readonly event: 'files'; readonly data: { readonly vault: string; readonly looks: number } }
  /** How far the check is that a page of this sign-in has asked for. */
  | {
      readonly event: 'check';
      readonly data: { readonly done: number; readonly total?: number };
    }
  /** A session has begun or ended, or a client has gone or come back: how many are connected. */
  | { readonly event: 'session'; readonly data: { readonly connected: number } }
  /** Clients have called lately, and may have read something. */
  | { readonly event: 'called'; readonly data: Readonly<Record<string, never>> }
  /** Sent only to streams with `?calls=1`. */
  | { readonly event: 'call'; readonly data: CallEvent }
  /** A client came with a token that is not valid. */
  | { readonly event: 'wrong-token'; readonly data: Readonly<Record<string, never>> }
  | { readonly event: 'vault'; readonly data: { readonly vault: string; readonly here: boolean } };

/** The changes since the last event; `at` is the newest. More than one may have come at once. */
interface ChangeEvent {
  readonly vault: string;
  readonly at: number;
}

/** One call of an MCP client, while Connect is open. */
export interface CallEvent {
  readonly client?: string;
  readonly token?: string;
  /** Such as `initialize`, `tools/list` and `tools/call`. */
  readonly method: string;
  readonly tool?: string;
  readonly ms: number;
  readonly ok: boolean;
}
