/** A failure as clients of the remote protocol see it: the server's answer, or that there is none. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
