import { useState } from 'preact/hooks';
import type { Host } from './host.ts';
import { type ReadResult, readResult } from './read-result.ts';

/** A call of a tool, begun by hand: what came of it, and whether it is still on its way. */
interface Call {
  readonly isBusy: boolean;
  readonly result?: ReadResult;
  /** Calls the tool. Does nothing while an earlier call is on its way. */
  readonly start: (args: Readonly<Record<string, unknown>>) => Promise<ReadResult | undefined>;
}

/** Calls a tool through the host. A refusal of the host is shown like a failure of the tool. */
export function useCall(host: Host, tool: string): Call {
  const [state, setState] = useState<Omit<Call, 'start'>>({ isBusy: false });
  const start: Call['start'] = async (args) => {
    if (state.isBusy) return undefined;
    setState({ isBusy: true });
    const result = await host
      .callTool(tool, args)
      .then(readResult, (error: Error): ReadResult => ({ isFailure: true, text: error.message }));
    setState({ isBusy: false, result });
    return result;
  };
  return { ...state, start };
}

/** The vault that an answer names, where several are served: calls about it name it too. */
export function vaultOf({ value }: ReadResult): { readonly vault?: string } {
  const vault = value?.['vault'];
  return typeof vault === 'string' ? { vault } : {};
}

/** Marks a call for the person who looks at the view: the model does not see what it answers. */
export const unseenByModel = { _view: true } as const;
