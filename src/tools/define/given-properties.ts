import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { convertTags, isShallow } from '../../engine/text/convert-property.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

/**
 * Reads properties from an object or its JSON text. `tags` may be a text, as in set_frontmatter.
 * Answers undefined when nothing is given. Fails with `invalid_input` for anything else.
 */
export function givenProperties(argument: string, given: unknown): Properties | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) {
    throw new VaultError(
      'invalid_input',
      `The argument "${argument}" must be a JSON object, for example {"tags": ["recipe"], "rating": 5}.`,
    );
  }
  if (!isShallow(value, limits.nestingMax)) {
    throw new VaultError(
      'invalid_input',
      `The argument "${argument}" nests more than ${limits.nestingMax} levels deep; make it flatter.`,
    );
  }
  const entries = Object.entries(value).map(([key, entry]) =>
    key.toLowerCase() === 'tags' ? [key, convertTags(entry)] : [key, entry],
  );
  return Object.fromEntries(entries) as Properties;
}

/** Whether a value is an object. All values in arguments are JSON. */
function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON text as a value; undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
