/** Something that happens later, and a promise of it. */
export function later<Value = void>(): { promise: Promise<Value>; settle: (value: Value) => void } {
  let settle: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** A stream of events that a test feeds, and whether it was cancelled. */
export function events(): {
  response: Response;
  push: (text: string) => void;
  end: () => void;
  fail: () => void;
  cancelled: Promise<void>;
} {
  const cancelled = later();
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      feed = controller;
    },
    cancel: () => cancelled.settle(),
  });
  return {
    response: new Response(body, {
      headers: { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' },
    }),
    push: (text) => feed?.enqueue(new TextEncoder().encode(text)),
    end: () => feed?.close(),
    fail: () => feed?.error(new Error('broken')),
    cancelled: cancelled.promise,
  };
}
