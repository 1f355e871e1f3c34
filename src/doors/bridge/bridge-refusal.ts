import { STATUS_CODES } from 'node:http';

/** Why a request is not served. */
export interface BridgeRefusal {
  readonly status: number;
  /** The protocol's words for the failure; by default those of the status. */
  readonly error?: string;
  /** A sentence that tells the user what to do. */
  readonly details?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The words that the protocol fixes for each status. */
const errors: Readonly<Record<number, string>> = {
  400: 'Invalid request body',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Request body too large',
  500: 'Internal server error',
};

/** A refusal in the format of Bridge v1: clients read `message`, which is the same as `error`. */
export function refuseBridge({ status, details, headers = {}, ...given }: BridgeRefusal): Response {
  const error = given.error ?? errors[status] ?? STATUS_CODES[status] ?? 'Refused';
  const body = { error, message: error, ...(details === undefined ? {} : { details }) };
  return Response.json(body, { status, headers: { ...headers } });
}
