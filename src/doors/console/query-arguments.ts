import type { ListedTool } from '../../tools/service/service.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The arguments of a tool that a query string has. Everything is text there, so the tool's schema says
 * what is a number, a yes or no, or a list (a name that is repeated). What does not fit stays text, and
 * the tool refuses it.
 */
export function queryArguments(
  { inputSchema }: Pick<ListedTool, 'inputSchema'>,
  query: URLSearchParams,
): Record<string, unknown> {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const sent = new Map<string, string[]>();
  for (const [name, text] of query)
    sent
      .set(name, sent.get(name) ?? [])
      .get(name)
      ?.push(text);
  const args = Array.from(sent, ([name, texts]): [string, unknown] => {
    const schema = (Object.hasOwn(properties, name) && properties[name]) || {};
    const items = itemsOf(schema);
    if (items !== undefined) return [name, texts.map((text) => valueIn(text, items))];
    const [only = '', ...others] = texts;
    return [name, others.length > 0 ? texts : valueIn(only, schema)];
  });
  return Object.fromEntries(args);
}

function valueIn(text: string, schema: Schema): unknown {
  const types = typesOf(schema);
  const isNumber = types.has('number') || types.has('integer');
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (types.has('boolean')) {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
  }
  return text;
}

/** The schema of the items, where a list is meant. */
function itemsOf(schema: Schema): Schema | undefined {
  const list = [schema, ...choicesOf(schema)].find(({ type }) => type === 'array');
  return list === undefined ? undefined : ((list['items'] ?? {}) as Schema);
}

function typesOf(schema: Schema): ReadonlySet<unknown> {
  return new Set([schema, ...choicesOf(schema)].flatMap(({ type }) => type));
}

function choicesOf(schema: Schema): readonly Schema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly Schema[];
}
