/** A text as one word of a command that can be pasted: quoted, where needed, for this platform. */
export function shellWord(text: string, platform: string): string {
  const isWindows = platform === 'win32';
  if (/^[\w/.:@+,-]+$/.test(isWindows ? text.replaceAll('\\', '/') : text)) return text;
  // A backslash before the closing quote would take away its meaning.
  if (isWindows) return `"${text.replace(/\\+$/, '$&$&')}"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
