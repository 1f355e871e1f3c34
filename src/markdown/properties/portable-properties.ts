import { isDeeper } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { grayMatterYaml } from './gray-matter-yaml.ts';
import { openProperties } from './property-document.ts';
import { propertyEqual } from './property-equal.ts';
import { checkPropertyName } from './set-property.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

/**
 * Puts properties before the text of a new note, without a byte order mark, and a line end after it.
 * Properties that the text already begins with stay, unless a new one has the same name. All are
 * written as gray-matter writes them. Fails with `invalid_input` when the text's own block is not
 * valid YAML, or the properties nest too deep or cannot be written so that every program reads them
 * alike.
 */
export function withPortableProperties(content: string, properties: Properties): string {
  const text = content.startsWith('\ufeff') ? content.slice(1) : content;
  const given = Object.entries(properties);
  if (given.length === 0) return withLineEnd(text);
  if (isDeeper(properties, limits.nestingMax)) {
    throw new VaultError(
      'invalid_input',
      `The properties nest more than ${limits.nestingMax} levels deep; make them flatter.`,
    );
  }
  for (const [key] of given) checkPropertyName(key);
  const document = openProperties(text);
  const own = (document?.properties ?? []).map(({ key, value }) => [key, value] as const);
  const wanted = new Map([...own, ...given]);
  const eol = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  const block = `---\n${grayMatterYaml(wanted)}---\n`.replaceAll('\n', eol);
  const written = block + withLineEnd(text.slice(document?.block.bodyStart ?? 0));
  if (readsBackAs(written, wanted)) return written;
  throw new VaultError(
    'invalid_input',
    'These properties cannot be written as YAML that every program reads alike; make them simpler.',
  );
}

/** A text that ends with a line end; gray-matter makes an empty line of no text at all. */
function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether the properties of a text are exactly those that were meant. */
function readsBackAs(text: string, wanted: ReadonlyMap<string, PropertyValue>): boolean {
  const properties = openProperties(text)?.properties ?? [];
  return (
    properties.length === wanted.size &&
    properties.every(({ key, value }) => propertyEqual(value, wanted.get(key) ?? null))
  );
}
