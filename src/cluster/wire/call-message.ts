import type { Caller, Progress } from '../../base/caller.ts';
import type { ChangeName } from '../../base/change-name.ts';
import { VaultError, type VaultErrorCode } from '../../base/vault-error.ts';
import type { Content, Outcome } from '../../tools/define/outcome.ts';

/** What one node may ask another for: methods of `Service`, and the owner's desk for who has the secret. */
export type ForwardedMethod =
  | 'call'
  | 'resources'
  | 'readResource'
  | 'prompt'
  | 'complete'
  | 'subscribe'
  | 'desk';

/** What is known of a caller, without what only its own node can do. */
type CallerFacts = Pick<
  Caller,
  | 'door'
  | 'client'
  | 'connection'
  | 'viewOf'
  | 'vault'
  | 'scopes'
  | 'token'
  | 'deadlineMs'
  | 'indexWaitMs'
  | 'callKey'
> & { readonly canAsk: boolean };

/** A request that a node passes on to the owner of a vault. */
export interface ForwardedCall {
  /** The version of this protocol. */
  readonly protocol: 1;
  /** By this the running call is told about cancellation and answers of the user. */
  readonly run: string;
  /** The number of the vault. */
  readonly vault: number;
  /** The toolsets of the service that is meant. */
  readonly toolsets: readonly string[];
  /** The keys (`vaultKey`) of the vaults that the caller's token is for; absent for all. */
  readonly vaults?: readonly string[];
  readonly method: ForwardedMethod;
  /** The arguments of the method before `caller`. */
  readonly args: readonly unknown[];
  readonly caller: CallerFacts;
}

/** What the first node tells about a call that runs at the owner. */
export interface ToldCall {
  readonly run: string;
  readonly cancel?: true;
  /** The user's answer to a question of the call. */
  readonly answer?: { readonly question: number; readonly yes: boolean };
}

/** What the owner answers, one after the other, each a line of JSON. */
export type CallEvent =
  | { readonly alive: true }
  | { readonly progress: Progress }
  | { readonly committed: ChangeName }
  | { readonly takenBack: true }
  | { readonly ask: { readonly question: number; readonly text: string; readonly enter?: 'yes' } }
  /** The subscription has begun, or the file has changed. */
  | { readonly changed: boolean }
  /** This node does not own the vault and cannot take it. */
  | { readonly moved: true }
  | { readonly answer: unknown }
  | { readonly outcome: WireOutcome }
  | { readonly failure: WireFailure };

interface WireFailure {
  readonly code: VaultErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly excerpt?: string;
}

type WireOutcome =
  | Extract<Outcome, { readonly ok: true }>
  | { readonly ok: false; readonly error: WireFailure; readonly content: readonly Content[] };

/** What another node needs to know of a caller. */
export function callerFacts(caller: Caller): CallerFacts {
  const { door, client, connection, viewOf, vault, scopes, token } = caller;
  const { deadlineMs, indexWaitMs, callKey } = caller;
  return {
    door,
    scopes,
    deadlineMs,
    canAsk: caller.ask !== undefined,
    ...(client === undefined ? {} : { client }),
    ...(connection === undefined ? {} : { connection }),
    ...(viewOf === undefined ? {} : { viewOf }),
    ...(vault === undefined ? {} : { vault }),
    ...(token === undefined ? {} : { token }),
    ...(indexWaitMs === undefined ? {} : { indexWaitMs }),
    ...(callKey === undefined ? {} : { callKey }),
  };
}

/** An outcome as JSON can hold it. */
export function wireOutcome(outcome: Outcome): WireOutcome {
  return outcome.ok ? outcome : { ...outcome, error: wireFailure(outcome.error) };
}

/** The outcome that another node has sent. */
export function outcomeOf(sent: WireOutcome): Outcome {
  return sent.ok ? sent : { ...sent, error: failureOf(sent.error) };
}

/** A failure as JSON can hold it. */
export function wireFailure({ code, message, details, excerpt }: VaultError): WireFailure {
  return { code, message, details, ...(excerpt === undefined ? {} : { excerpt }) };
}

/** The failure that another node has sent. */
export function failureOf({ code, message, details, excerpt }: WireFailure): VaultError {
  return new VaultError(code, message, {
    details,
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}
