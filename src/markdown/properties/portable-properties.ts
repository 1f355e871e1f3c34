import { Document, type Scalar, visit } from 'yaml';
import { isDeeper } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { openProperties } from './property-document.ts';
import { propertyEqual } from './property-equal.ts';
import { checkPropertyName } from './set-property.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

/**
 * Puts properties before the text of a new note. Properties that the text already begins with stay,
 * unless a new one has the same name. All are written so that readers of YAML 1.1 (gray-matter,
 * most programs) and of 1.2 (Obsidian) read the same data: whatever either could take for a date, a
 * number or a boolean is quoted. Fails with `invalid_input` when the text's own block is not valid
 * YAML, or the properties nest too deep or cannot be written this way.
 */
export function withPortableProperties(text: string, properties: Properties): string {
  const given = Object.entries(properties);
  if (given.length === 0) return text;
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
  const bodyStart = document?.block.bodyStart ?? (text.startsWith('\ufeff') ? 1 : 0);
  const eol = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  const block = `---\n${portableYaml(wanted)}---\n`.replaceAll('\n', eol);
  const written = block + text.slice(bodyStart);
  if (readsBackAs(written, wanted)) return written;
  throw new VaultError(
    'invalid_input',
    'These properties cannot be written as YAML that every program reads alike; make them simpler.',
  );
}

/** A map as a block of YAML, with its last line end. */
function portableYaml(properties: ReadonlyMap<string, PropertyValue>): string {
  const document = new Document(properties, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_place, node: Scalar) {
      if (typeof node.value === 'string' && needsQuotes.test(node.value)) {
        node.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return document.toString({ lineWidth: 0, nullStr: 'null' }).replace(unprintable, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Unprintable characters, and line ends, which readers count differently in block scalars. */
const needsQuotes = /[\r\n\t]|[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Characters that YAML 1.1 refuses unescaped; an escape is only possible between double quotes. */
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Whether the properties of a text are exactly those that were meant. */
function readsBackAs(text: string, wanted: ReadonlyMap<string, PropertyValue>): boolean {
  const properties = openProperties(text)?.properties ?? [];
  return (
    properties.length === wanted.size &&
    properties.every(({ key, value }) => propertyEqual(value, wanted.get(key) ?? null))
  );
}
