/** From the line with the marker to the line that repeats it. */
const framed = /^\n\n---\n\[(context-\w+)\] [^\n]+\n[\s\S]*\n\[\1\]\n---$/;

/** An answer's own text, and the auto-context that was put behind it, if any. */
export function splitContext(text: string): { result: string; context: string | undefined } {
  const at = text.lastIndexOf('\n\n---\n[context-');
  if (at < 0 || !framed.test(text.slice(at))) return { result: text, context: undefined };
  return { result: text.slice(0, at), context: text.slice(at) };
}
