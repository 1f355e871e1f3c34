import { shownBaseLimits as limits } from '../../../base/engine-limits.ts';
import { isObject } from '../../../base/json.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { isExternal, parseWholeLink, splitLink } from '../../../markdown/facts/link-text.ts';
import type { BaseErrorReport } from '../../bases/query/base-errors.ts';
import type { BaseView } from '../../bases/syntax/base.ts';
import { idText, type PropertyId, propertyId } from '../../bases/syntax/property-id.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { linkTargets } from '../read/note-facts.ts';
import { type BaseSource, chooseView, findSource, readBaseText } from './base-source.ts';
import { CellCutter, type Picture } from './cut-cells.ts';
import { evaluateSource, noSuchView, titleOf } from './query-base.ts';

/** A view of a base as a page shows it: at most so much that a page can draw it. */
export interface ShownBase {
  readonly base: VaultPath;
  readonly this: VaultPath;
  readonly view: string;
  readonly type: string;
  /** The views of the base; `viewCount` is how many there are. */
  readonly views: readonly { readonly name: string; readonly type: string }[];
  readonly viewCount: number;
  /** The columns; `width` in pixels where the view says it. */
  readonly columns: readonly { readonly id: string; readonly title: string; width?: number }[];
  readonly columnCount: number;
  /** How many rows the view has, and how many files match where its own limit leaves some out. */
  readonly total: number;
  readonly matching?: number;
  /** The most rows that can be asked for. */
  readonly rowsMax: number;
  /** The first rows, group by group where there are groups. */
  readonly rows: readonly ShownRow[];
  /** The groups of these rows, in their order: `rows` of each are here, of `total`. */
  readonly groups?: readonly ShownGroup[];
  readonly groupCount?: number;
  readonly summaries: readonly ShownSummary[];
  readonly look: CardLook;
  readonly errors: readonly BaseErrorReport[];
}

interface ShownRow {
  readonly path: string;
  /** As `docs/bases.md` writes values; a cut list ends with `{"$more": n}`, a picture has its `path`. */
  readonly cells: readonly ValueJson[];
  /** The picture of a card: a colour as text, a link, or a picture. */
  readonly image?: ValueJson;
}

interface ShownGroup {
  readonly key: ValueJson;
  readonly rows: number;
  readonly total: number;
  readonly summaries: readonly ShownSummary[];
}

/** A summary of a column, such as its average. */
interface ShownSummary {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly value: ValueJson;
}

/** The settings of cards and lists that the page follows. */
interface CardLook {
  readonly fit?: 'contain' | 'cover';
  /** Height of a card's picture as a part of its width. */
  readonly ratio?: number;
  readonly width?: number;
  readonly markers?: 'bullet' | 'number' | 'none';
  readonly indents?: boolean;
  readonly separator?: string;
}

/**
 * Evaluates a view of a base to be drawn: of large answers the first rows, and of long values the
 * beginning. `block` is the text of a `base` block that stands in the note at `path`; without it the
 * base is the file there, and `self` the note that embeds it. Fails as `queryBase` does.
 */
export async function showBase(
  vault: BoundVault,
  request: {
    readonly path: NoteName;
    readonly block?: string;
    readonly self?: NoteName;
    readonly view?: string;
    readonly limit: number;
  },
): Promise<ShownBase> {
  const source = await sourceOf(vault, request);
  const view = chooseView(source.base, source.view);
  return view === undefined ? withoutView(source) : drawn(vault, source, view, request.limit);
}

type Found = BaseSource & { readonly path: VaultPath; readonly self: VaultPath };

async function sourceOf(
  vault: BoundVault,
  { path: name, block, self, view }: Parameters<typeof showBase>[1],
): Promise<Found> {
  if (block !== undefined) {
    const path = await findNote(vault, name);
    return { base: readBaseText(block, { path, what: 'This base' }), path, self: path, view };
  }
  const found = await findSource(vault, { base: name });
  if (found.query !== undefined) {
    throw new VaultError('invalid_input', `"${found.path}" has a Dataview block, and no base.`);
  }
  const path = found.path ?? (await findNote(vault, name));
  const embeddedIn = self === undefined ? found.self : await findNote(vault, self);
  return { base: found.base, path, self: embeddedIn ?? path, view: view ?? found.view };
}

async function drawn(
  vault: BoundVault,
  source: Found,
  view: BaseView,
  limit: number,
): Promise<ShownBase> {
  const { base, path, self } = source;
  const order = view.order?.slice(0, limits.columnsMax);
  const { image } = view.settings;
  const hasImage = typeof image === 'string' && image !== '' && view.type === 'cards';
  const asked = {
    ...view,
    order: [...(order ?? [propertyId('file.name')]), ...(hasImage ? [propertyId(image)] : [])],
  };
  const page = { limit, offset: 0, byGroup: true as const };
  const found = await evaluateSource(vault, { base, path, self, view: asked, page });
  const cutter = new CellCutter();
  const columns = hasImage ? found.columns.slice(0, -1) : found.columns;
  const paths = found.groups?.flatMap((group) => group.paths) ?? found.paths;
  const rows: ShownRow[] = [];
  for (const [at, cells] of found.rows.entries()) {
    if (cutter.isSpent) break;
    const shown = cells.slice(0, columns.length).map((cell) => cutter.cut(cell));
    const own = hasImage ? imageOf(cells.at(-1) ?? null) : null;
    rows.push({
      path: paths[at] ?? '',
      cells: shown,
      ...(own === null ? {} : { image: cutter.cut(own) }),
    });
  }
  const summaries = (values: Readonly<Record<string, ValueJson>> = {}): ShownSummary[] =>
    view.summaries.slice(0, limits.columnsMax).map(([id, name]) => ({
      id: idText(id),
      title: titleOf(base, id),
      name,
      value: cutter.cut(values[idText(id)] ?? null),
    }));
  const groups: ShownGroup[] = [];
  let left = rows.length;
  for (const { key, paths: inGroup, summaries: values } of found.groups ?? []) {
    if (left === 0) break;
    const here = Math.min(left, inGroup.length);
    left -= here;
    groups.push({
      key: cutter.cut(key),
      rows: here,
      total: inGroup.length,
      summaries: values === undefined ? [] : summaries(values),
    });
  }
  const shownSummaries = found.summaries === undefined ? [] : summaries(found.summaries);
  await findPictures(vault, path, cutter.pictures);
  return {
    ...shownHead(source, view),
    columns: columns.map((id) => ({
      id: idText(id),
      title: titleOf(base, id),
      ...widthOf(view, id),
    })),
    columnCount: view.order?.length ?? columns.length,
    total: found.total,
    ...(found.matching > found.total ? { matching: found.matching } : {}),
    rows,
    ...(found.groups === undefined ? {} : { groups, groupCount: found.groups.length }),
    summaries: shownSummaries,
    look: lookOf(view),
    errors: found.errors,
  };
}

function shownHead({ base, path, self }: Found, { name, type }: Pick<BaseView, 'name' | 'type'>) {
  const views = base.views.slice(0, limits.viewsMax);
  return {
    base: path,
    this: self,
    view: name,
    type,
    views: views.map((view) => ({ name: view.name, type: view.type })),
    viewCount: base.views.length,
    rowsMax: limits.rowsMax,
  };
}

/** The answer for a view that does not exist: the error, and the views to choose from. */
function withoutView(source: Found): ShownBase {
  const view = source.view ?? '';
  return {
    ...shownHead(source, { name: view, type: 'table' }),
    columns: [],
    columnCount: 0,
    total: 0,
    rows: [],
    summaries: [],
    look: {},
    errors: [noSuchView(source.base, view)],
  };
}

/** What a card shows as its picture: a list's first element, and a text as a colour or a picture. */
function imageOf(value: ValueJson): ValueJson {
  const one = Array.isArray(value) ? ((value as readonly ValueJson[])[0] ?? null) : value;
  if (typeof one === 'string') return isColor(one) ? one : { $image: one };
  const isShown = one !== null && typeof one === 'object' && ('$image' in one || '$link' in one);
  if (isShown) return one;
  return one !== null && typeof one === 'object' && '$file' in one
    ? { $image: one['$file'] as string }
    : null;
}

function isColor(text: string): boolean {
  return /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text);
}

/** Finds the files of pictures, which are written as links, paths or addresses. */
async function findPictures(
  vault: BoundVault,
  source: VaultPath,
  pictures: readonly Picture[],
): Promise<void> {
  const links = new Map<string, string>();
  for (const { $image: text } of pictures) {
    if (isExternal(text)) continue;
    links.set(text, splitLink(parseWholeLink(text)?.link ?? text.trim()).path);
  }
  const targets = await linkTargets(vault, source, links);
  for (const picture of pictures) picture.path = targets[picture.$image] ?? null;
}

const sizes = { columnMin: 40, widthMin: 100, widthMax: 800, ratioMin: 0.1, ratioMax: 4 };

/** How wide a column is, if the view says so. */
function widthOf({ settings }: BaseView, id: PropertyId): { readonly width?: number } {
  const { columnSize } = settings;
  if (!isObject(columnSize)) return {};
  const own = Object.entries(columnSize).find(([key]) => idText(propertyId(key)) === idText(id));
  const width = Number(own?.[1]);
  return width > 0 ? { width: Math.min(Math.max(width, sizes.columnMin), sizes.widthMax) } : {};
}

function lookOf({ settings }: BaseView): CardLook {
  const { imageFit, imageAspectRatio, cardSize, markers, indentProperties, separator } = settings;
  const ratio = Number(imageAspectRatio);
  const width = Number(cardSize);
  const marker = (['bullet', 'number', 'none'] as const).find((word) => word === markers);
  return {
    ...(imageFit === 'contain' || imageFit === 'cover' ? { fit: imageFit } : {}),
    ...(ratio > 0 ? { ratio: Math.min(Math.max(ratio, sizes.ratioMin), sizes.ratioMax) } : {}),
    ...(width > 0 ? { width: Math.min(Math.max(width, sizes.widthMin), sizes.widthMax) } : {}),
    ...(marker === undefined ? {} : { markers: marker }),
    ...(indentProperties === true ? { indents: true } : {}),
    ...(typeof separator === 'string' ? { separator: separator.slice(0, 20) } : {}),
  };
}
