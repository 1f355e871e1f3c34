import { foldName } from '../../../base/vault-path.ts';
import type { TextEdit } from '../../../markdown/text/text-edit.ts';
import type { Expression } from '../syntax/expression.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import { linkTexts } from './link-texts.ts';

/** An old name and the new one. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** What is renamed: one of these, or files with the folder that they are in. */
export interface ExpressionRename {
  /** A property of notes, in any case. */
  readonly property?: Rename;
  /** A tag without `#`, and the tags nested under it. */
  readonly tag?: Rename;
  /** The path of a folder, and those of the folders in it. */
  readonly folder?: Rename;
  /** The paths of files that move. */
  readonly moves?: ReadonlyMap<string, string>;
  /** The path of a link as it must be written now; undefined where it stays. */
  readonly newLinkPath?: (path: string, by: string) => string | undefined;
}

/**
 * Returns edits of an expression that make it follow a rename. They touch only the names and texts
 * themselves. An expression that cannot be read stays as it is. `inSummary` says that `values` is
 * not a property.
 */
export function renameInExpression(
  text: string,
  rename: ExpressionRename,
  { inSummary = false } = {},
): readonly TextEdit[] {
  let root: Expression;
  try {
    root = parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
  const edits = new Map<number, TextEdit>();
  const put = (edit: TextEdit | undefined): void => {
    if (edit !== undefined) edits.set(edit.range.start, edit);
  };
  const literal = (expression: Expression | undefined, to: (old: string) => string | undefined) => {
    if (expression?.kind !== 'literal' || typeof expression.value !== 'string') return;
    const now = to(expression.value);
    if (now === undefined || now === expression.value) return;
    put({ range: expression.range, text: quotedAs(text.charAt(expression.range.start), now) });
  };
  // With a list of its own, because a long sum is a deep tree.
  const left: { readonly expression: Expression; readonly locals: readonly string[] }[] = [
    { expression: root, locals: inSummary ? ['values'] : [] },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { expression, locals } = next;
    const { property, tag, folder, moves, newLinkPath } = rename;
    if (property !== undefined) {
      put(propertyEdit(text, expression, { rename: property, locals }));
      literal(hasPropertyName(expression), (old) => renamedKey(old, property));
      literal(indexOfNote(expression), (old) => renamedKey(old, property));
    }
    if (tag !== undefined) {
      for (const each of tagTexts(expression)) literal(each, (old) => renamedTag(old, tag));
    }
    if (folder !== undefined) {
      literal(folderText(expression), (old) => renamedFolder(old, folder));
    }
    if (moves !== undefined) literal(comparedWith(expression, 'path'), (old) => moves.get(old));
    if (newLinkPath !== undefined) {
      for (const { by, of, at, path } of linkTexts(expression)) {
        const now = newLinkPath(path, by);
        if (now === undefined) continue;
        literal(of, (old) => old.slice(0, at) + now + old.slice(at + path.length));
      }
    }
    for (const child of childrenOf(expression)) {
      left.push({ expression: child, locals: localsIn(expression, child, locals) });
    }
  }
  return Array.from(edits.values());
}

/** The local names that an expression inside another has: those of `filter`, `map` and `reduce`. */
function localsIn(
  outer: Expression,
  inner: Expression,
  locals: readonly string[],
): readonly string[] {
  if (outer.kind !== 'call' || outer.receiver === undefined || inner === outer.receiver) {
    return locals;
  }
  if (outer.name === 'reduce' && inner === outer.args[0]) {
    return [...locals, 'value', 'index', 'acc'];
  }
  const isEach = outer.name === 'filter' || outer.name === 'map';
  return isEach ? [...locals, 'value', 'index'] : locals;
}

const identifier = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const reserved: ReadonlySet<string> = new Set([
  'file',
  'note',
  'formula',
  'this',
  'true',
  'false',
  'null',
]);

/** The edit where an expression is a property by its name: `x`, `note.x`, `file.properties.x`. */
function propertyEdit(
  text: string,
  expression: Expression,
  { rename: { from, to }, locals }: { readonly rename: Rename; readonly locals: readonly string[] },
): TextEdit | undefined {
  if (expression.kind !== 'name' && expression.kind !== 'member') return undefined;
  const { name, range } = expression;
  if (foldName(name) !== foldName(from)) return undefined;
  if (expression.kind === 'name') {
    if (reserved.has(name) || locals.includes(name)) return undefined;
    if (!identifier.test(to)) return { range, text: `note[${quotedAs('"', to)}]` };
    const isHidden = reserved.has(to) || locals.includes(to);
    return { range, text: isHidden ? `note.${to}` : to };
  }
  if (!hasNoteProperties(expression.of) || isFileOfThis(expression)) return undefined;
  const start = range.end - name.length;
  if (identifier.test(to)) return { range: { start, end: range.end }, text: to };
  // The dot goes too, with the blanks around it.
  const dot = text.lastIndexOf('.', start - 1);
  return { range: { start: dot, end: range.end }, text: `[${quotedAs('"', to)}]` };
}

/** `this.file` is the file of `this`, not a property. */
function isFileOfThis({ of, name }: Expression & { kind: 'member' }): boolean {
  return name === 'file' && of.kind === 'name' && of.name === 'this';
}

/** Whether the members of an expression are properties of a note. */
function hasNoteProperties(of: Expression): boolean {
  if (of.kind === 'name') return of.name === 'note' || of.name === 'this';
  if (of.kind !== 'member' || of.name !== 'properties') return false;
  // `note.properties` is a property of that name.
  return !hasNoteProperties(of.of);
}

/** The name in `note["x"]`. */
function indexOfNote(expression: Expression): Expression | undefined {
  return expression.kind === 'index' && hasNoteProperties(expression.of)
    ? expression.at
    : undefined;
}

function hasPropertyName(expression: Expression): Expression | undefined {
  return expression.kind === 'call' && expression.name === 'hasProperty'
    ? expression.args[0]
    : undefined;
}

/** The new name of a property; undefined for another property. */
export function renamedKey(name: string, { from, to }: Rename): string | undefined {
  return foldName(name) === foldName(from) ? to : undefined;
}

/** The texts that name tags: in `hasTag`, and in what a list of tags contains. */
function tagTexts(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'call' || expression.receiver === undefined) return [];
  const { name, receiver, args } = expression;
  const isContains = ['contains', 'containsAny', 'containsAll'].includes(name);
  if (name !== 'hasTag' && !(isContains && areTags(receiver))) return [];
  return args.flatMap((arg) => (arg.kind === 'list' ? arg.items : [arg]));
}

/** Whether an expression is the list of tags of a file: `file.tags`, `tags`, `list(tags)`. */
export function areTags(expression: Expression): boolean {
  if (expression.kind === 'name') return foldName(expression.name) === 'tags';
  if (expression.kind === 'member') {
    const { of, name } = expression;
    return name === 'tags' && (isFile(of) || hasNoteProperties(of));
  }
  if (expression.kind === 'index') {
    const { of, at } = expression;
    return hasNoteProperties(of) && at.kind === 'literal' && at.value === 'tags';
  }
  const [listed] = expression.kind === 'call' && expression.name === 'list' ? expression.args : [];
  return listed !== undefined && areTags(listed);
}

/** Whether an expression is a file: that of the row, or that of `this`. */
function isFile(expression: Expression): boolean {
  if (expression.kind === 'name') return expression.name === 'file' || expression.name === 'this';
  return expression.kind === 'member' && expression.name === 'file';
}

function renamedTag(text: string, { from, to }: Rename): string | undefined {
  const hash = text.startsWith('#') ? '#' : '';
  const names = text.slice(hash.length).split('/');
  const depth = from.split('/').length;
  const head = names.slice(0, depth).join('/');
  if (foldName(head) !== foldName(from)) return undefined;
  return [hash + to, ...names.slice(depth)].join('/');
}

/** The text that names a folder: in `inFolder`, or compared with `file.folder`. */
function folderText(expression: Expression): Expression | undefined {
  if (expression.kind === 'call' && expression.name === 'inFolder') return expression.args[0];
  return comparedWith(expression, 'folder');
}

/** The other side of a comparison of `file.<field>`. */
function comparedWith(expression: Expression, field: string): Expression | undefined {
  if (expression.kind !== 'binary') return undefined;
  const { operator, left, right } = expression;
  if (operator !== '==' && operator !== '!=') return undefined;
  const isField = (side: Expression): boolean =>
    side.kind === 'member' && side.name === field && isFile(side.of);
  if (isField(left)) return right;
  return isField(right) ? left : undefined;
}

function renamedFolder(text: string, { from, to }: Rename): string | undefined {
  const [, before = '', path = '', after = ''] = /^(\/*)(.*?)(\/*)$/s.exec(text) ?? [];
  if (path !== from && !path.startsWith(`${from}/`)) return undefined;
  return before + to + path.slice(from.length) + after;
}

/** A text as an expression writes it between these quotes. */
function quotedAs(quote: string, text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
  return quote + escaped + quote;
}
