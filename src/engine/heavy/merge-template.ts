import { VaultError } from '../../base/vault-error.ts';
import { parseFrontmatter } from '../../markdown/properties/frontmatter.ts';
import { mergeProperties } from '../../markdown/properties/merge-properties.ts';

/**
 * Adds the properties of a filled template to those of a note. Fails with `invalid_input` when the
 * template's are not valid YAML.
 */
export function mergeTemplate(text: string, filled: string): string {
  const facts = parseFrontmatter(filled);
  if (facts !== undefined && facts.problems.length > 0) {
    throw new VaultError(
      'invalid_input',
      'The properties of the template, once filled in, are not valid YAML; correct the template first. Nothing was changed.',
    );
  }
  return mergeProperties(text, facts?.frontmatter.properties ?? []);
}
