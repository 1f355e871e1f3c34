const opening = '\n\n---\n## Your personal notes\n';

/** An answer's own text, and the auto-context that was put behind it, if any. */
export function splitContext(text: string): { result: string; context: string | undefined } {
  const at = text.lastIndexOf(opening);
  if (at < 0) return { result: text, context: undefined };
  return { result: text.slice(0, at), context: text.slice(at) };
}
