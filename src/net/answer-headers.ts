/** Those that say how this connection carries the answer. That is for the listener to decide. */
const ofTheConnection = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of an answer as they are sent. */
export function answerHeaders(answer: Response): [name: string, value: string][] {
  const own = Array.from(answer.headers).filter(([name]) => !ofTheConnection.has(name));
  return [...own, ['x-content-type-options', 'nosniff']];
}
