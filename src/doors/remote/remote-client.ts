import type { Duplex } from 'node:stream';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { jsonExcess } from '../../base/read-json.ts';
import { FrameReader, writeFrame } from './frames.ts';
import { protocolErrorCodes, RemoteError } from './remote-errors.ts';
import { remoteProtocolVersion, type ServerInfo } from './server-info.ts';

/** A change of a file or folder on the server. */
interface RemoteEvent {
  readonly path: string;
  /** `created`, `modified` or `deleted`. */
  readonly event: string;
  /** In milliseconds; absent when the file is gone. */
  readonly mtime?: number;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RemoteError) => void;
}

const noInfo: ServerInfo = { version: '', protocolVersion: 0, capabilities: [], vaultRoot: '' };

/** A client of the remote protocol, on a connection that the caller has made. */
export class RemoteClient {
  readonly #socket: Duplex;
  readonly #frames = new FrameReader({
    headBytes: limits.remoteHeadBytesMax,
    bodyBytes: limits.remoteMessageBytesMax,
  });
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, (event: RemoteEvent) => void>();
  readonly #closeListeners = new Set<() => void>();
  #info = noInfo;
  #lastId = 0;
  #isClosed = false;

  private constructor(socket: Duplex) {
    this.#socket = socket;
    socket
      .on('data', (chunk: Buffer) => this.#read(chunk))
      .on('end', () => socket.destroy())
      .on('error', () => undefined) // `close` follows.
      .on('close', () => this.#closed());
  }

  /**
   * Sends the token and asks for the server's info. Fails with a `RemoteError` and closes the
   * connection when the token is wrong or the server speaks another version of the protocol.
   */
  static async connect(
    socket: Duplex,
    /** `client` is the name that the server's history shows. */
    { token, client: name }: { readonly token: string; readonly client?: string },
  ): Promise<RemoteClient> {
    const client = new RemoteClient(socket);
    try {
      await client.#request('auth', { token, client: name });
      client.#info = checkedInfo(await client.#request('server.info', {}));
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  get info(): ServerInfo {
    return this.#info;
  }

  /** Calls a method of the server; fails with a `RemoteError`. */
  call(method: string, params: object = {}): Promise<unknown> {
    if (!this.#info.capabilities.includes(method)) {
      const message = `The server has no method "${method}"; its version is ${this.#info.version}.`;
      return Promise.reject(new RemoteError(protocolErrorCodes.methodNotFound, message));
    }
    return this.#request(method, params);
  }

  /**
   * Watches a folder or file: the listener is called for every change after this has resolved. The
   * returned function ends the watch.
   */
  async watch(
    path: string,
    { recursive }: { readonly recursive: boolean },
    listener: (event: RemoteEvent) => void,
  ): Promise<() => Promise<void>> {
    let id = '';
    const listen = (result: unknown): void => {
      id = isObject(result) ? String(result['subscriptionId']) : '';
      this.#listeners.set(id, listener);
    };
    if (this.#info.capabilities.includes('fs.watch')) {
      await this.#request('fs.watch', { path, recursive }, listen);
    } else {
      await this.call('fs.watch'); // Fails with the message for a method that the server lacks.
    }
    return async () => {
      this.#listeners.delete(id);
      await this.call('fs.unwatch', { subscriptionId: id });
    };
  }

  /** Calls back once, when either side has closed the connection. */
  onClose(listener: () => void): void {
    if (this.#isClosed) queueMicrotask(listener);
    else this.#closeListeners.add(listener);
  }

  /** Closes the connection; calls that wait for an answer fail. */
  close(): void {
    this.#socket.destroy();
  }

  /** `onResult` is called with the result before any later message is read. */
  #request(method: string, params: object, onResult?: (result: unknown) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#socket.destroyed) return reject(connectionClosed());
      this.#lastId += 1;
      const id = this.#lastId;
      const json = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      const bytes = Buffer.byteLength(json);
      if (bytes > limits.remoteMessageBytesMax) {
        const message = `The call has ${bytes} bytes, more than one message may have; send less.`;
        return reject(new RemoteError(protocolErrorCodes.invalidParams, message));
      }
      this.#waiting.set(id, {
        resolve: (result) => {
          onResult?.(result);
          resolve(result);
        },
        reject,
      });
      this.#socket.write(writeFrame(json, bytes));
    });
  }

  #read(chunk: Buffer): void {
    this.#frames.push(chunk);
    for (let body = this.#frames.next(); body !== undefined; body = this.#frames.next()) {
      this.#take(body);
    }
    if (this.#frames.fault !== undefined) this.close();
  }

  /** Handles a message. Answers without an id and unknown notifications are ignored. */
  #take(body: Buffer): void {
    const message = parse(body);
    if (!isObject(message)) {
      this.close();
      return;
    }
    const { id, error, params } = message;
    if (typeof id !== 'number') {
      if (message['method'] === 'fs.changed' && isObject(params)) this.#passEvent(params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (isObject(error)) {
      waiting?.reject(new RemoteError(Number(error['code']), String(error['message'])));
    } else {
      waiting?.resolve(message['result']);
    }
  }

  #passEvent(params: Readonly<Record<string, unknown>>): void {
    const { subscriptionId, path, event, mtime } = params;
    const listener = this.#listeners.get(String(subscriptionId));
    if (typeof path !== 'string' || typeof event !== 'string') return;
    listener?.({ path, event, ...(typeof mtime === 'number' ? { mtime } : {}) });
  }

  #closed(): void {
    this.#isClosed = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(connectionClosed());
    for (const listener of this.#closeListeners) listener();
    this.#closeListeners.clear();
  }
}

function parse(body: Buffer): unknown {
  // The server is trusted with the number of values: a walk may list a million files.
  const isTooDeep = jsonExcess(body, { valuesMax: Number.POSITIVE_INFINITY }) !== undefined;
  if (isTooDeep) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function connectionClosed(): RemoteError {
  return new RemoteError(protocolErrorCodes.internalError, 'The connection is closed.');
}

/** The server's info; fails when the server speaks another version of the protocol. */
function checkedInfo(info: unknown): ServerInfo {
  const { version, protocolVersion, capabilities, vaultRoot } = isObject(info) ? info : {};
  if (protocolVersion !== remoteProtocolVersion) {
    throw new RemoteError(
      protocolErrorCodes.protocolVersion,
      `The server speaks version ${String(protocolVersion)} of the protocol, and this program ${remoteProtocolVersion}; update the older of them.`,
    );
  }
  return {
    version: String(version),
    protocolVersion,
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : [],
    vaultRoot: String(vaultRoot),
  };
}
