import type { LayoutNews, LayoutRequest } from './graph-worker.ts';

/** Where the build has put `graph-worker.ts`; see scripts/bundle-console.mjs. */
declare const graphWorkerAddress: string;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(address: string): unknown };
}

/** The page may start this one worker, and nothing else; see the policy in the server's headers. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'vaultdoor-worker',
  { createScriptURL: () => graphWorkerAddress },
);

/** Moves nodes until linked ones are together, in a worker. Ends it when the result is called. */
export function layOut(request: LayoutRequest, hear: (news: LayoutNews) => void): () => void {
  const address = policy?.createScriptURL('') ?? graphWorkerAddress;
  const worker = new Worker(address as string, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<LayoutNews>) => {
    hear(data);
    if (data.isDone) worker.terminate();
  };
  worker.postMessage(request);
  return () => worker.terminate();
}
