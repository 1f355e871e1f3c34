import type { PropertyValue } from '../../markdown/facts/facts.ts';
import type { TaskDates } from '../../markdown/facts/task-fields.ts';
import type { HeadingRecord, LinkPlace, LinkRecord, PropertyType, TaskRecord } from './records.ts';

/**
 * The facts of a note that are only asked for one note at a time. They are stored for every note,
 * so they have a short form: arrays instead of objects, and links, which are most of it, as plain
 * numbers.
 */
export interface NoteDetail {
  /**
   * Five numbers for each link: its path (a position in `NoteRecord.linked`), its place (a position
   * in `places`, plus `embedBit` for an embed), start, length and line.
   */
  readonly links: readonly number[];
  /** `LinkRecord.subpath` and `key`, which few links have, with the position of the link. */
  readonly subpaths: readonly (readonly [link: number, subpath: string])[];
  readonly keys: readonly (readonly [link: number, key: string])[];
  /** The texts that are shown in place of targets, where links have some. */
  readonly displays?: readonly (readonly [link: number, display: string])[];
  /** The tags without `#`, each spelling once: those of the properties first. Absent for none. */
  readonly tags?: readonly string[];
  readonly properties: readonly (readonly [
    key: string,
    type: PropertyType,
    value: PropertyValue,
  ])[];
  readonly headings: readonly (readonly [level: number, text: string, line: number])[];
  readonly tasks: readonly PackedTask[];
}

type PackedTask = readonly [
  status: string,
  line: number,
  dates?: TaskDates,
  tags?: readonly string[],
];

/** The links of a note as they are being packed. */
export interface PackedLinks {
  readonly links: number[];
  readonly subpaths: [link: number, subpath: string][];
  readonly keys: [link: number, key: string][];
  displays?: [link: number, display: string][];
}

const places: readonly LinkPlace[] = ['body', 'property', 'definition', 'canvas', 'base'];
const embedBit = 8;
const numbersPerLink = 5;

/** Adds one link; `path` is the position of its path in `NoteRecord.linked`. */
export function packLink(
  packed: PackedLinks,
  link: Omit<LinkRecord, 'path' | 'key'> & {
    readonly key?: string | undefined;
    readonly display?: string | undefined;
  },
  path: number,
): void {
  const { links, subpaths, keys } = packed;
  const { start, end, line, subpath, key, display } = link;
  const at = links.length / numbersPerLink;
  if (subpath !== '') subpaths.push([at, subpath]);
  if (key !== undefined) keys.push([at, key]);
  if (display !== undefined) {
    packed.displays ??= [];
    packed.displays.push([at, display]);
  }
  const place = places.indexOf(link.place) + (link.embed ? embedBit : 0);
  links.push(path, place, start, end - start, line);
}

/** The links of a note, in order; `paths` are those of `NoteRecord.linked`. */
export function unpackLinks(detail: NoteDetail, paths: readonly string[]): LinkRecord[] {
  const subpaths = new Map(detail.subpaths);
  const keys = new Map(detail.keys);
  const links: LinkRecord[] = [];
  for (let first = 0; first < detail.links.length; first += numbersPerLink) {
    const [path = 0, place = 0, start = 0, length = 0, line = 0] = detail.links.slice(
      first,
      first + numbersPerLink,
    );
    const key = keys.get(links.length);
    links.push({
      place: places[place % embedBit] ?? 'body',
      embed: place >= embedBit,
      path: paths[path] ?? '',
      subpath: subpaths.get(links.length) ?? '',
      ...(key === undefined ? {} : { key }),
      start,
      end: start + length,
      line,
    });
  }
  return links;
}

/** The headings of a note, in order. */
export function unpackHeadings({ headings }: NoteDetail): HeadingRecord[] {
  return headings.map(([level, text, line]) => ({ level, text, line }));
}

/** A task as `NoteDetail` stores it. */
export function packTask({ status, line, dates, tags }: TaskRecord): PackedTask {
  if (tags !== undefined) return [status, line, dates ?? {}, tags];
  return dates === undefined ? [status, line] : [status, line, dates];
}

/** The tasks of a note, in order. */
export function unpackTasks({ tasks }: Pick<NoteDetail, 'tasks'>): TaskRecord[] {
  return tasks.map(([status, line, dates, tags]) => ({
    status,
    line,
    ...(dates === undefined || Object.keys(dates).length === 0 ? {} : { dates }),
    ...(tags === undefined ? {} : { tags }),
  }));
}
