/** The words a person put on a canvas: text cards, labels of groups and edges. */
export function canvasText(json: string): string {
  const canvas = parse(json);
  const parts: string[] = [];
  for (const list of [canvas?.['nodes'], canvas?.['edges']]) {
    if (!Array.isArray(list)) continue;
    for (const entry of list as unknown[]) {
      if (!isObject(entry)) continue;
      for (const value of [entry['text'], entry['label']]) {
        if (typeof value === 'string') parts.push(value);
      }
    }
  }
  return parts.join('\n');
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json.replace(/^\ufeff/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // A broken canvas is a problem in its facts, not an error here.
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
