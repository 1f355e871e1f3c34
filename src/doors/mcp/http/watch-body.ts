import { assert } from '../../../base/assert.ts';

/** Whether a response is an event stream. */
export function isEventStream(response: Response): boolean {
  return (
    response.body !== null &&
    !!response.headers.get('content-type')?.startsWith('text/event-stream')
  );
}

/**
 * The same response, which calls `onEnd` once when its body has ended: because everything was sent,
 * the body failed, or the client left (it cancels, or `signal` aborts). `first` is sent before the
 * body.
 */
export function watchBody(
  response: Response,
  watch: { readonly signal: AbortSignal; readonly onEnd: () => void; readonly first?: string },
): Response {
  const { signal, onEnd, first } = watch;
  assert(response.body !== null, 'Only a response with a body is watched.');
  const reader = response.body.getReader();
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    signal.removeEventListener('abort', abandon);
    onEnd();
  };
  const abandon = (): void => {
    end();
    reader.cancel().catch(() => undefined); // The body may have failed already.
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first !== undefined) controller.enqueue(new TextEncoder().encode(first));
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel: abandon,
  });
  if (signal.aborted) abandon();
  else signal.addEventListener('abort', abandon, { once: true });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
