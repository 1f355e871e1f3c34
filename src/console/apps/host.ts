import { isObject } from '../../base/json.ts';

/** How messages go to the host, which is the client that shows the view, and come from it. */
export interface Wire {
  send(message: object): void;
  listen(onMessage: (message: unknown) => void): void;
  after(ms: number, call: () => void): () => void;
}

/** What a view is told by its host. */
interface HostEvents {
  /** Called first, and again with what has changed. */
  onContext(context: HostContext): void;
  /** The arguments of the call whose result is shown. */
  onInput(args: Readonly<Record<string, unknown>>): void;
  onResult(result: unknown): void;
  onCancelled(): void;
}

/** What a host says about itself; what is absent it has not said. */
export interface HostContext {
  readonly theme?: 'light' | 'dark';
  /** The fonts of the host's own words. */
  readonly sans?: string;
}

/** What a view can ask of its host. */
export interface Host {
  /** Whether the host passes calls of tools on to the server. Known when `onContext` was called. */
  readonly callsTools: boolean;
  readonly opensLinks: boolean;
  /** Calls a tool of the server; answers the result. Fails with the host's words where it refuses. */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Asks the host to open an address outside of the view. */
  openLink(url: string): Promise<unknown>;
  /** Tells the host how much room the view takes. */
  sendSize(size: { readonly width: number; readonly height: number }): void;
}

const protocolVersion = '2026-01-26';

/**
 * Speaks the protocol of MCP Apps with the host: JSON-RPC messages between two windows. These are all
 * messages that our views send. None of them puts anything into the conversation with the model.
 */
export function connectHost(
  wire: Wire,
  view: { readonly name: string; readonly version: string; readonly callMs: number },
  events: HostEvents,
): Host {
  const waiting = new Map<number, Waiting>();
  let can: Readonly<Record<string, unknown>> = {};
  let lastId = 0;
  let calls = 0;

  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      const stop = wire.after(view.callMs, () => {
        waiting.delete(id);
        reject(new Error(`${method}: no answer`));
      });
      waiting.set(id, { resolve, reject, stop });
      wire.send({ jsonrpc: '2.0', id, method, params });
    });
  const notify = (method: string, params: object): void =>
    wire.send({ jsonrpc: '2.0', method, params });

  const heard: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => void>> = {
    'ui/notifications/tool-input': (params) =>
      events.onInput(isObject(params['arguments']) ? params['arguments'] : {}),
    // Some hosts repeat here the results of calls that the view has made itself.
    'ui/notifications/tool-result': (params) => {
      if (calls === 0) events.onResult(params);
    },
    'ui/notifications/tool-cancelled': () => events.onCancelled(),
    'ui/notifications/host-context-changed': (params) => events.onContext(readContext(params)),
  };
  wire.listen((message) => {
    if (!isObject(message) || message['jsonrpc'] !== '2.0') return;
    const { id, method, params, result, error } = message;
    if (typeof method !== 'string') {
      const asked = typeof id === 'number' ? waiting.get(id) : undefined;
      if (typeof id !== 'number' || asked === undefined) return;
      waiting.delete(id);
      asked.stop();
      if (error === undefined) asked.resolve(result);
      else asked.reject(new Error(messageOf(error)));
    } else if (id !== undefined) {
      wire.send({ jsonrpc: '2.0', id, ...answerTo(method) });
    } else if (Object.hasOwn(heard, method)) {
      heard[method]?.(isObject(params) ? params : {});
    }
  });

  const hello = {
    protocolVersion,
    appInfo: { name: view.name, version: view.version },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  };
  void request('ui/initialize', hello).then(
    (answer) => {
      const { hostCapabilities, hostContext } = isObject(answer) ? answer : {};
      if (isObject(hostCapabilities)) can = hostCapabilities;
      events.onContext(readContext(isObject(hostContext) ? hostContext : {}));
      notify('ui/notifications/initialized', {});
    },
    () => events.onCancelled(),
  );

  return {
    get callsTools() {
      return can['serverTools'] !== undefined;
    },
    get opensLinks() {
      return can['openLinks'] !== undefined;
    },
    callTool: (name, args) => {
      calls++;
      return request('tools/call', { name, arguments: args }).finally(() => {
        calls--;
      });
    },
    openLink: (url) => request('ui/open-link', { url }),
    sendSize: (size) => notify('ui/notifications/size-changed', size),
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly stop: () => void;
}

/** The answer to a request of the host: a view has nothing to save before it is closed. */
function answerTo(method: string): object {
  if (method === 'ui/resource-teardown' || method === 'ping') return { result: {} };
  return { error: { code: -32_601, message: 'This view does not know the method' } };
}

function messageOf(error: unknown): string {
  const message = isObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

function readContext({ theme, styles }: Readonly<Record<string, unknown>>): HostContext {
  const variables = isObject(styles) ? styles['variables'] : undefined;
  const sans = isObject(variables) ? variables['--font-sans'] : undefined;
  return {
    ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(typeof sans === 'string' ? { sans } : {}),
  };
}
