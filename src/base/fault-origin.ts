/**
 * What a log may say about a bug: the kind of error and the place in our code. Never its message,
 * which may hold names and text of notes.
 */
export function faultOrigin(error: unknown): { readonly kind: string; readonly at: string } {
  if (!(error instanceof Error)) return { kind: typeof error, at: 'unknown' };
  const { name, message, stack = '' } = error;
  // The message stands in the stack too, and may look like a frame.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const place = /^\s+at .*?([^/\\():\s]+:\d+:\d+)\)?$/m.exec(frames);
  return { kind: /^\w{1,40}$/.test(name) ? name : 'Error', at: place?.[1] ?? 'unknown' };
}
