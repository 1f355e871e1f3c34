import { fileNameOf } from '../../base/vault-path.ts';
import { type DateValue, parseDate } from '../bases/values/date-value.ts';
import { LinkValue, ObjectValue, type Value } from '../bases/values/value.ts';
import type { World } from '../bases/values/world.ts';
import type { NoteItem } from '../ports/records.ts';

/** A link that embeds its target; `meta` tells it from others. */
export class EmbedLink extends LinkValue {}

/** A link to a note itself. */
export function pageLink(path: string): LinkValue {
  const display = fileNameOf(path).replace(/\.md$/i, '');
  return new LinkValue(path, { display, target: () => path });
}

/** An item of a list as a value: its fields by name. */
export class ItemObject extends ObjectValue {
  readonly path: string;
  readonly item: NoteItem;
  readonly children: readonly ItemObject[];

  constructor(
    path: string,
    item: NoteItem,
    children: readonly ItemObject[],
    entries: ReadonlyMap<string, () => Value>,
  ) {
    super(entries);
    this.path = path;
    this.item = item;
    this.children = children;
  }

  get isTask(): boolean {
    return this.item.status !== undefined;
  }
}

/** The items of the lists of notes, made once for a query. */
export class PageItems {
  readonly #world: World;
  readonly #known = new Map<string, readonly ItemObject[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** All items of a note, in order. */
  of(path: string): readonly ItemObject[] {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const made = itemObjects(this.#world, path);
    this.#known.set(path, made);
    return made;
  }

  /** The tasks of a note. A note that has none by the index is not read. */
  tasksOf(path: string): readonly ItemObject[] {
    if (this.#world.part(path, 'tasks') === 0) return [];
    return this.of(path).filter((item) => item.isTask);
  }

  /** Forgets the items of a note. */
  forget(path: string): void {
    this.#known.delete(path);
  }
}

/** An item while the tree is made: those below it come after it. */
interface Node {
  readonly item: NoteItem;
  readonly children: ItemObject[];
  /** Whether a task below it is not completed. */
  hasOpen: boolean;
  object?: ItemObject;
}

function itemObjects(world: World, path: string): readonly ItemObject[] {
  const nodes: Node[] = [];
  const parents: (Node | undefined)[] = [];
  const byLine = new Map<number, Node>();
  for (const item of world.part(path, 'items')) {
    const node: Node = { item, children: [], hasOpen: false };
    parents.push(item.parent === undefined ? undefined : byLine.get(item.parent));
    byLine.set(item.line, node);
    nodes.push(node);
  }
  // From the last to the first, so that what is below an item is known before the item itself.
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as Node;
    node.children.reverse();
    const isOpen = node.item.status !== undefined && !isCompleted(node.item);
    const object = itemObject(world, path, node);
    node.object = object;
    const parent = parents[at];
    if (parent === undefined) continue;
    parent.children.push(object);
    parent.hasOpen ||= isOpen || node.hasOpen;
  }
  return nodes.flatMap(({ object }) => object ?? []);
}

function isCompleted({ status }: NoteItem): boolean {
  return status === 'x' || status === 'X';
}

function itemObject(world: World, path: string, { item, children, hasOpen }: Node): ItemObject {
  const { status, dates } = item;
  const section = (): Value => sectionLink(path, item);
  const fields: (readonly [string, () => Value])[] = [
    ['symbol', () => item.symbol],
    ['link', () => blockLink(path, item)],
    ['section', section],
    ['header', section],
    ['text', () => item.text],
    ['tags', () => item.tags ?? []],
    ['line', () => item.line],
    ['lineCount', () => item.lineCount],
    ['outlinks', () => outlinks(world, path, item)],
    ['path', () => path],
    ['children', () => children],
    ['subtasks', () => children],
    ['task', () => status !== undefined],
    ['real', () => status !== undefined],
    ['annotated', () => dates !== undefined || /[\p{L}\p{N}_-]::/u.test(item.text)],
    ['parent', () => item.parent ?? null],
    ['blockId', () => item.id ?? null],
  ];
  if (status !== undefined) {
    fields.push(
      ['status', () => status],
      ['checked', () => status !== ' '],
      ['completed', () => isCompleted(item)],
      ['fullyCompleted', () => isCompleted(item) && !hasOpen],
      ['due', () => dateOf(dates?.due)],
      ['completion', () => dateOf(dates?.done)],
      ['created', () => dateOf(dates?.created)],
      ['start', () => dateOf(dates?.start)],
      ['scheduled', () => dateOf(dates?.scheduled)],
    );
  }
  return new ItemObject(path, item, children, new Map(fields));
}

function dateOf(written: string | undefined): DateValue | null {
  return written === undefined ? null : (parseDate(written) ?? null);
}

/** The heading above an item, spelled as Dataview does: signs become spaces. */
function sectionLink(path: string, { heading }: NoteItem): LinkValue {
  if (heading === undefined) return pageLink(path);
  const name = heading.replace(/[^\p{L}\p{N}_\p{Extended_Pictographic}-]+/gu, ' ').trim();
  return new LinkValue(`${path}#${name}`, { target: () => path });
}

function blockLink(path: string, item: NoteItem): LinkValue {
  if (item.id === undefined) return sectionLink(path, item);
  return new LinkValue(`${path}#^${item.id}`, { target: () => path });
}

function outlinks(world: World, source: string, { links = [] }: NoteItem): Value {
  return links.map(
    ({ path, subpath, display }) =>
      new LinkValue(path + subpath, { display, target: () => world.resolve(path, source) }),
  );
}
