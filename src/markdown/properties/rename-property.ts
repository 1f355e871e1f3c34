import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { findFrontmatter } from './frontmatter-block.ts';
import { YamlRefusal } from './yaml-document.ts';
import { changeScalars, type YamlScalar, yamlScalars } from './yaml-scalars.ts';

/** A property of a note and its new name. The old name may be written in any case. */
interface PropertyRename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the edits that give a property of a note another name; its place, its quotes and its value
 * stay. `both` when the note has a property with the new name as well. No edits where the note has
 * no such property, or its properties are not valid YAML. Fails with `invalid_input` when the name
 * cannot be written.
 */
export function renameProperty(
  text: string,
  { from, to }: PropertyRename,
): readonly TextEdit[] | 'both' {
  const block = findFrontmatter(text);
  if (block === undefined) return [];
  const { start } = block.content;
  const source = text.slice(start, block.content.end);
  const names = namesIn(source);
  const renamed = names.filter((name) => foldName(name.text) === foldName(from));
  const [only, second] = renamed;
  if (only === undefined || only.text === to) return [];
  const isTaken = names.some((name) => !renamed.includes(name) && isSame(name, to));
  if (second !== undefined || isTaken) return 'both';
  const whole = { start: 0, end: only.text.length };
  const changes = new Map([[only, [{ range: whole, text: to }]]]);
  const edits = changeScalars(source, changes, limits.nestingMax);
  if (edits === undefined) {
    throw new VaultError('invalid_input', 'A property cannot have this name; choose another.');
  }
  return edits.map((edit) => ({
    range: { start: edit.range.start + start, end: edit.range.end + start },
    text: edit.text,
  }));
}

function isSame({ text }: YamlScalar, name: string): boolean {
  return foldName(text) === foldName(name);
}

/** The names of the properties; none where they are not valid YAML. */
function namesIn(source: string): readonly YamlScalar[] {
  try {
    const scalars = yamlScalars(source, limits.nestingMax);
    return scalars.filter(({ path, isKey }) => isKey && path.length === 1);
  } catch (error) {
    if (error instanceof YamlRefusal) return [];
    throw error;
  }
}
