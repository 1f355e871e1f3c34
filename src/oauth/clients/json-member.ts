/**
 * A member of a parsed JSON object that a stranger sent: undefined when it is absent or null, or when
 * the value is no object. Only members of its own count, not those that every object has.
 */
export function jsonMember(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined;
  return (json as Readonly<Record<string, unknown>>)[name] ?? undefined;
}
