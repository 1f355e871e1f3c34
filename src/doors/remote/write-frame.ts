/** A message as a frame, in one piece. `bytes` is the length of the JSON in UTF-8. */
export function writeFrame(json: string, bytes = Buffer.byteLength(json)): Buffer {
  const head = `Content-Length: ${bytes}\r\n\r\n`;
  const frame = Buffer.allocUnsafe(head.length + bytes);
  frame.write(head, 0, 'latin1');
  frame.write(json, head.length, 'utf8');
  return frame;
}
