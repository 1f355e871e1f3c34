const quote = '"';
const backslash = 0x5c;

/**
 * The source text of the `id` of a JSON object, so that it can be sent back exactly as it came; of
 * the last one, if there are several, as JSON parsers do. Undefined when there is none. The text
 * must be valid JSON. Strings are skipped, so that a large message costs little more than a search
 * for its quotes.
 */
export function rawId(json: string): string | undefined {
  let id: string | undefined;
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (json[at] === quote) {
    const keyEnd = stringEnd(json, at);
    const isId = isIdKey(json.slice(at, keyEnd));
    const begin = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const end = valueEnd(json, begin);
    if (isId) id = json.slice(begin, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return id;
}

function isIdKey(key: string): boolean {
  return key === '"id"' || (key.includes('\\') && JSON.parse(key) === 'id');
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && json.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** The end of the string that begins here, after its closing quote. */
function stringEnd(json: string, begin: number): number {
  let end = json.indexOf(quote, begin + 1);
  while (isEscaped(json, end)) end = json.indexOf(quote, end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes comes before this place. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

const structure = /["[\]{}]/g;
const scalarEnd = /[\s,}\]]/g;

/** The end of the value that begins here. */
function valueEnd(json: string, begin: number): number {
  const first = json[begin];
  if (first === quote) return stringEnd(json, begin);
  if (first !== '{' && first !== '[') return nextOf(scalarEnd, json, begin);
  let at = begin + 1;
  for (let depth = 1; depth > 0; ) {
    at = nextOf(structure, json, at);
    const mark = json[at];
    if (mark === quote) {
      at = stringEnd(json, at);
    } else {
      depth += mark === '{' || mark === '[' ? 1 : -1;
      at += 1;
    }
  }
  return at;
}

function nextOf(pattern: RegExp, json: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(json)?.index ?? json.length;
}
