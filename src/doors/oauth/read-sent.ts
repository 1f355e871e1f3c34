import { limits } from '../../base/limits.ts';
import { readJson } from '../../base/read-json.ts';

/** The body of a request, or why it cannot be read, as a sentence. */
type Sent<T> = { readonly sent: T } | { readonly message: string; readonly status: number };

/** The fields of a form that a browser or a client has posted. */
export async function readForm(request: Request): Promise<Sent<URLSearchParams>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) {
    return { status: 400, message: 'Send the body as application/x-www-form-urlencoded.' };
  }
  const bytes = await readBytes(request);
  if (bytes === undefined) return tooLarge;
  return { sent: new URLSearchParams(new TextDecoder().decode(bytes)) };
}

/** The JSON value of a body, of bounded depth and size. */
export async function readJsonBody(
  request: Request,
  { typeIsNeeded }: { readonly typeIsNeeded: boolean },
): Promise<Sent<unknown>> {
  const type = request.headers.get('content-type');
  if (type === null ? typeIsNeeded : !/json/i.test(type)) {
    return { status: 400, message: 'Send the body as application/json.' };
  }
  const bytes = await readBytes(request);
  if (bytes === undefined) return tooLarge;
  const read = readJson(bytes);
  if (read.kind === 'value') return { sent: read.value };
  return { status: 400, message: read.kind === 'excess' ? read.message : 'The body is not JSON.' };
}

/**
 * The fields of a form in which none may occur twice, but those of `several`. Undefined when one does.
 * An empty field counts as absent, as OAuth wants it.
 */
export function fieldsOf(
  form: URLSearchParams,
  { several = [] }: { readonly several?: readonly string[] } = {},
): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of form) {
    if (several.includes(name)) continue;
    if (seen.has(name)) return undefined;
    seen.add(name);
    if (value !== '') fields.set(name, value);
  }
  return fields;
}

const tooLarge = {
  status: 413,
  message: `The body is larger than ${limits.signInBodyBytesMax} bytes.`,
} as const;

/** The bytes of the body; undefined when there are too many. */
async function readBytes(request: Request): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > limits.signInBodyBytesMax ? undefined : bytes;
}
