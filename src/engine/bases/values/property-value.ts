import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { parseWholeLink, splitLink } from '../../../markdown/facts/link-text.ts';
import { LinkValue, ObjectValue, TagValue, type Value } from './value.ts';
import type { World } from './world.ts';

/** The properties of a note as values. Each is made when it is first asked for. */
export function noteProperties(world: World, path: string): ObjectValue {
  const properties = world.part(path, 'properties');
  return new ObjectValue(
    new Map(properties.map(([key, , value]) => [key, () => topValue(world, path, key, value)])),
  );
}

/** One of them, by its name or else by one that differs in case, without making the others. */
export function noteProperty(world: World, path: string, name: string): Value {
  const properties = world.part(path, 'properties');
  const spelled = (key: string) => properties.findLast(([each]) => each === key);
  const folded = name.toLowerCase();
  const other = () => properties.find(([key]) => key.toLowerCase() === folded)?.[0];
  const found = spelled(name) ?? spelled(other() ?? name);
  return found === undefined ? null : topValue(world, path, found[0], found[2]);
}

function topValue(world: World, path: string, key: string, value: PropertyValue): Value {
  if (key.toLowerCase() === 'tags') {
    const tags = typeof value === 'string' ? tagOf(value) : undefined;
    if (tags instanceof TagValue) return [tags];
    if (Array.isArray(value)) {
      return (value as readonly PropertyValue[]).map((each) =>
        typeof each === 'string' ? tagOf(each) : typedValue(world, path, each, true),
      );
    }
  }
  const keepsDates = world.propertyType(key) === 'text';
  return typedValue(world, path, value, !keepsDates);
}

/** A tag; a text with a comma or a space is none, and stays a text. */
function tagOf(text: string): TagValue | string {
  return text === '' || /[\s,]/.test(text) ? text : new TagValue(text);
}

/**
 * A value of YAML by its form: a text that is one wikilink becomes a link, one that is a date a date.
 */
function typedValue(world: World, path: string, value: PropertyValue, readsDates: boolean): Value {
  if (typeof value === 'string') {
    const first = value.trimStart();
    if (first.startsWith('[[')) return propertyLink(world, path, value) ?? value;
    return (readsDates && /^\d/.test(value) ? world.date(value) : undefined) ?? value;
  }
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    return (value as readonly PropertyValue[]).map((each) =>
      typedValue(world, path, each, readsDates),
    );
  }
  return new ObjectValue(
    new Map(
      Object.entries(value).map(([key, each]) => [
        key,
        () => typedValue(world, path, each, readsDates),
      ]),
    ),
  );
}

function propertyLink(world: World, source: string, text: string): LinkValue | undefined {
  const link = parseWholeLink(text);
  if (link === undefined) return undefined;
  const { displayRange } = link;
  return new LinkValue(link.link, {
    display:
      displayRange === undefined ? undefined : text.slice(displayRange.start, displayRange.end),
    target: () => knownTarget(world, source, splitLink(link.link).path),
  });
}

/** The index knows where each link of a note leads. A link in a nested value may be unknown to it. */
function knownTarget(world: World, source: string, path: string): string | null {
  const known = world.part(source, 'links').find((link) => link.path === path);
  return known === undefined ? world.resolve(path, source) : (known.target ?? null);
}
