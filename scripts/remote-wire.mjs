import { connect } from 'node:net';

/** The bytes of a message of the remote protocol, with its header. */
export function frame(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Splits bytes into messages. `rest` has the bytes of a last message that is not complete yet. */
export function unframe(bytes) {
  const messages = [];
  let rest = bytes;
  while (true) {
    const head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString('latin1', 0, 60));
    const end = head === null ? 0 : head[0].length + Number(head[1]);
    if (head === null || rest.length < end) return { messages, rest };
    messages.push(JSON.parse(rest.subarray(head[0].length, end).toString()));
    rest = rest.subarray(end);
  }
}

/** Opens a client of the remote protocol. It shares no code with the program that it tests. */
export function openWire(path) {
  const socket = connect(path);
  const waiting = new Map();
  const notices = [];
  let rest = Buffer.alloc(0);
  let lastId = 0;
  socket.on('data', (chunk) => {
    const read = unframe(Buffer.concat([rest, chunk]));
    rest = read.rest;
    for (const message of read.messages) {
      if (message.method === undefined) waiting.get(message.id)?.resolve(message);
      else notices.push(message.params);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The connection was closed.'));
  });
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      if (socket.destroyed) reject(new Error('The connection is closed.'));
      else socket.write(frame({ id: lastId, method, params }));
    });
  return { socket, call, notices, end: () => socket.destroy() };
}
