import { STATUS_CODES } from 'node:http';

/** Why a request is not served, as HTTP tells it. */
export interface BridgeRefusal {
  readonly status: number;
  /** Which failure it is; the usual one of the status unless given. */
  readonly error?: string;
  /** A sentence that says what to do. */
  readonly details?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The words of the protocol. */
const errors: Readonly<Record<number, string>> = {
  400: 'Invalid request body',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Request body too large',
  500: 'Internal server error',
};

/** A refusal in the shape of Bridge v1: clients read `message`, which always repeats `error`. */
export function refuseBridge({ status, details, headers = {}, ...given }: BridgeRefusal): Response {
  const error = given.error ?? errors[status] ?? STATUS_CODES[status] ?? 'Refused';
  const body = { error, message: error, ...(details === undefined ? {} : { details }) };
  return Response.json(body, { status, headers: { ...headers } });
}
