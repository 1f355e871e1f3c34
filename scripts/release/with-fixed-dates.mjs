/** 26 October 1985, 8:15, in the form of zip files. npm gives its files the same time. */
const date = ((1985 - 1980) << 9) | (10 << 5) | 26;
const time = (8 << 11) | (15 << 5);

/**
 * A zip file in which every file has the same date, so that the same files make the same bytes whenever
 * they are packed.
 */
export function withFixedDates(zip) {
  const bytes = Buffer.from(zip);
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1) throw new Error('This is not a zip file.');
  const count = bytes.readUInt16LE(end + 10);
  let entry = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    const local = bytes.readUInt32LE(entry + 42);
    for (const at of [entry + 12, local + 10]) {
      bytes.writeUInt16LE(time, at);
      bytes.writeUInt16LE(date, at + 2);
    }
    entry += 46 + [28, 30, 32].reduce((sum, at) => sum + bytes.readUInt16LE(entry + at), 0);
  }
  return bytes;
}
