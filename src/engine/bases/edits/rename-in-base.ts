import { limits } from '../../../base/limits.ts';
import { YamlRefusal } from '../../../markdown/properties/yaml-document.ts';
import {
  changeScalars,
  type YamlScalar,
  yamlScalars,
} from '../../../markdown/properties/yaml-scalars.ts';
import { textCards } from '../../../markdown/scan/canvas.ts';
import { codeBlocks, editsInNote } from '../../../markdown/scan/code-blocks.ts';
import type { TextEdit } from '../../../markdown/text/text-edit.ts';
import { applyEdits } from '../../../markdown/text/text-edit.ts';
import type { BasesRename, RenamedBases } from '../../ports/bases-rename.ts';
import type { FileKind } from '../../ports/records.ts';
import type { Expression } from '../syntax/expression.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { propertyId } from '../syntax/property-id.ts';
import { linkTexts } from './link-texts.ts';
import { newLinkPath } from './new-link-path.ts';
import {
  type ExpressionRename,
  type Rename,
  renamedKey,
  renameInExpression,
} from './rename-in-expression.ts';

/**
 * Makes the bases in a file follow a rename: the file is a base, or a note or a canvas with `base`
 * blocks. Only the renamed names change. A base that is not valid YAML stays as it is. Undefined when a base
 * cannot be written with the new name.
 */
export function renameInBases(text: string, request: BasesRename): RenamedBases | undefined {
  const { kind, property, tag, folder, files } = request;
  const rename: ExpressionRename = {
    ...(property === undefined ? {} : { property }),
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder }),
    ...(files === undefined ? {} : movedFiles(kind, files)),
  };
  const edits: TextEdit[] = [];
  let count = 0;
  const bases = basesIn(kind, text);
  for (const base of bases) {
    const found = renameInBase(base.text, rename);
    if (found === undefined) return undefined;
    count += found.count;
    for (const edit of base.inFile(found.edits)) edits.push(edit);
  }
  const edited = applyEdits(text, edits);
  if (count > 0 && basesIn(kind, edited).length !== bases.length) return undefined;
  return { text: edited, count };
}

/** In a `.base` file, what `link` makes and wikilinks are links that follow by themselves. */
function movedFiles(
  kind: FileKind,
  files: NonNullable<BasesRename['files']>,
): Pick<ExpressionRename, 'moves' | 'newLinkPath'> {
  const find = newLinkPath(files.path, files);
  const isLeft = (by: string): boolean => kind === 'base' && (by === '' || by === 'link');
  return {
    moves: files.moves,
    newLinkPath: (path, by) => (isLeft(by) ? undefined : find(path, by)),
  };
}

/** The paths of the links that are written in the bases of a file. */
export function baseLinkPaths(text: string, kind: FileKind): readonly string[] {
  const paths = new Set<string>();
  for (const base of basesIn(kind, text)) {
    for (const scalar of scalarsOf(base.text) ?? []) {
      if (!isExpression(roleOf(scalar))) continue;
      for (const path of pathsIn(scalar.text)) paths.add(path);
    }
  }
  return Array.from(paths);
}

function pathsIn(text: string): readonly string[] {
  const paths: string[] = [];
  try {
    const left: Expression[] = [parseExpression(text)];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const { path } of linkTexts(next)) paths.push(path);
      left.push(...childrenOf(next));
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
  }
  return paths;
}

/** The YAML of a base in a file, and how edits of it become edits of the file. */
interface WrittenBase {
  readonly text: string;
  readonly inFile: (edits: readonly TextEdit[]) => readonly TextEdit[];
}

/** The bases of a file. */
function basesIn(kind: FileKind, text: string): readonly WrittenBase[] {
  if (kind === 'canvas') {
    return textCards(text).flatMap((card) =>
      blocksIn(card.text).map((base) => ({
        text: base.text,
        inFile: (edits) => card.inCanvas(base.inFile(edits)),
      })),
    );
  }
  if (kind !== 'base') return blocksIn(text);
  const from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const moved = ({ range: { start, end }, text: put }: TextEdit) => ({
    range: { start: start + from, end: end + from },
    text: put,
  });
  return [{ text: text.slice(from), inFile: (edits) => edits.map(moved) }];
}

function blocksIn(note: string): readonly WrittenBase[] {
  return codeBlocks(note, ['base']).map((block) => ({
    text: block.text,
    inFile: (edits) => editsInNote(note, block, edits),
  }));
}

/** Everything that is written in a base; undefined when it is not valid YAML. */
function scalarsOf(source: string): readonly YamlScalar[] | undefined {
  try {
    return yamlScalars(source, limits.baseYamlNestingMax);
  } catch (error) {
    if (error instanceof YamlRefusal) return undefined;
    throw error;
  }
}

function renameInBase(
  source: string,
  rename: ExpressionRename,
): { readonly edits: readonly TextEdit[]; readonly count: number } | undefined {
  const changes = new Map<YamlScalar, readonly TextEdit[]>();
  let count = 0;
  for (const scalar of scalarsOf(source) ?? []) {
    const edits = editsOf(scalar, rename);
    if (edits.length === 0) continue;
    count += edits.length;
    changes.set(scalar, edits);
  }
  const edits = changeScalars(source, changes, limits.baseYamlNestingMax);
  return edits && { edits, count };
}

function editsOf(scalar: YamlScalar, rename: ExpressionRename): readonly TextEdit[] {
  const role = roleOf(scalar);
  if (role === undefined) return [];
  if (isExpression(role)) {
    return renameInExpression(scalar.text, rename, { inSummary: role === 'summary' });
  }
  if (rename.property === undefined) return [];
  const now = renamedId(scalar.text, rename.property, { isBare: role === 'id' });
  if (now === undefined || now === scalar.text) return [];
  return [{ range: { start: 0, end: scalar.text.length }, text: now }];
}

/** The new text of a property id; undefined for another property. `isBare`: it may have no prefix. */
function renamedId(
  text: string,
  rename: Rename,
  { isBare }: { readonly isBare: boolean },
): string | undefined {
  const { kind, name } = propertyId(text);
  const prefix = text.slice(0, text.length - name.length);
  if (kind !== 'note' || (prefix === '' && !isBare)) return undefined;
  const to = renamedKey(name, rename);
  if (to === undefined) return undefined;
  // Without a prefix, the new name could be read as something else, such as `file.name`.
  return prefix === '' && propertyId(to).name !== to ? `note.${to}` : prefix + to;
}

/**
 * What a text of a base is: an expression, a property id, or a setting of a view that is a property
 * id only if it begins with `note.`. Undefined for what has nothing to do with properties.
 */
type Role = 'expression' | 'summary' | 'id' | 'setting' | undefined;

function isExpression(role: Role): role is 'expression' | 'summary' {
  return role === 'expression' || role === 'summary';
}

/** The settings of views that hold a property id. */
const idSettings: ReadonlySet<string> = new Set([
  'image',
  'coordinates',
  'markerIcon',
  'markerColor',
]);

function roleOf({ path, isKey }: YamlScalar): Role {
  const [top, second, third, fourth, fifth] = path;
  if (top !== 'views') {
    if (isKey) return second !== undefined && path.length === 2 ? keyRoles[top ?? ''] : undefined;
    if (top === 'filters') return 'expression';
    return path.length === 2 ? valueRoles[top ?? ''] : undefined;
  }
  if (third === undefined || third === 'name' || third === 'type' || third === 'limit') return;
  if (isKey) {
    if (fourth === undefined || third === 'filters') return undefined;
    const isId = path.length === 4 && (third === 'summaries' || third === 'columnSize');
    return isId ? 'id' : 'setting';
  }
  if (third === 'filters') return 'expression';
  if (third === 'summaries') return undefined;
  if (third === 'order') return path.length === 4 ? 'id' : undefined;
  if (third === 'sort') return fifth === 'property' || fifth === 'column' ? 'id' : undefined;
  if (third === 'groupBy' || third === 'group_by') {
    return fourth === undefined || fourth === 'property' || fourth === 'column' ? 'id' : undefined;
  }
  return path.length === 3 && idSettings.has(third) ? 'id' : 'setting';
}

const keyRoles: Readonly<Record<string, Role>> = { properties: 'id', display: 'id' };
const valueRoles: Readonly<Record<string, Role>> = { formulas: 'expression', summaries: 'summary' };
