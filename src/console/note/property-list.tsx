import type { ComponentChild } from 'preact';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { numberText } from '../../tools/wording/counted.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { strings } from '../words/strings.ts';
import { targetOfLink, webTarget } from './link-target.ts';
import { searchAddress } from './note-address.ts';
import { NoteIcon } from './note-icon.tsx';
import { propertyType } from './property-type.ts';
import { renderLink } from './render-link.ts';
import { renderText } from './render-text.ts';
import type { ShownNote } from './shown-note.ts';

interface Props {
  readonly note: ShownNote;
  readonly vault?: string | undefined;
}

type PropertyLink = NonNullable<NonNullable<ShownNote['facts']>['frontmatterLinks']>[number];

/** What values are shown with. */
interface Of extends Props {
  /** The links that are values, by the path of the value, such as `related.0`. */
  readonly links: ReadonlyMap<string, PropertyLink>;
}

/**
 * The properties of a note with their types; nothing where it has none. Broken YAML is shown as text
 * with its error.
 */
export function PropertyList({ note, vault }: Props) {
  const broken = note.more?.problems.find(({ code }) => code === 'invalid_properties');
  if (broken !== undefined) return <BrokenProperties note={note} message={broken.message} />;
  const properties = Object.entries(note.facts?.frontmatter ?? {});
  if (properties.length === 0) return null;
  const { propertiesMax } = consoleNoteLimits;
  const links = new Map((note.facts?.frontmatterLinks ?? []).map((link) => [link.key, link]));
  return (
    <>
      <dl class="props" aria-label={words.properties}>
        {properties.slice(0, propertiesMax).map(([key, value]) => (
          <div key={key}>
            <dt>
              <NoteIcon name={propertyType(key, value, links)} />
              <bdi>{cut(key)}</bdi>
            </dt>
            <dd dir="auto">{shownValue(key, value, { note, vault, links })}</dd>
          </div>
        ))}
      </dl>
      {properties.length > propertiesMax && (
        <p class="note-limit">{words.moreItems(properties.length - propertiesMax)}</p>
      )}
    </>
  );
}

function BrokenProperties({
  note,
  message,
}: {
  readonly note: ShownNote;
  readonly message: string;
}) {
  const end = note.facts?.sections?.find(({ type }) => type === 'yaml')?.position.end.offset ?? 0;
  return (
    <div class="broken-props" role="note">
      <p>
        <b>{words.brokenProperties}</b>
      </p>
      <p>{message}</p>
      <pre class="plain">{cut(note.text.slice(0, end))}</pre>
    </div>
  );
}

function shownValue(key: string, value: PropertyValue, of: Of): ComponentChild {
  if (value === null || value === '') return <span class="faint">{words.empty}</span>;
  if (Array.isArray(value)) return itemsOf(key, value as readonly PropertyValue[], of);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  // Years are numbers too, and have no commas.
  if (typeof value === 'number') return value < 10_000 ? String(value) : numberText(value);
  if (typeof value === 'object') return <code>{cut(JSON.stringify(value))}</code>;
  return textOf(key, value as string, of);
}

function itemsOf(key: string, items: readonly PropertyValue[], of: Of): ComponentChild {
  const { propertyItemsMax } = consoleNoteLimits;
  if (items.length === 0) return <span class="faint">{words.empty}</span>;
  const isTags = isTagKey(key);
  return [
    ...items.slice(0, propertyItemsMax).map((item, at) => [
      at === 0 ? '' : isTags ? ' ' : ', ',
      // Lists inside of lists are shown as their text: each level could have a hundred times as many.
      Array.isArray(item) ? (
        <code>{cut(JSON.stringify(item))}</code>
      ) : (
        shownValue(`${key}.${at}`, item, of)
      ),
    ]),
    items.length > propertyItemsMax ? ` ${words.moreItems(items.length - propertyItemsMax)}` : '',
  ];
}

function textOf(key: string, text: string, { note, vault, links }: Of): ComponentChild {
  if (isTagKey(key) && !/\s/.test(text)) {
    const tag = cut(text.startsWith('#') ? text : `#${text}`);
    return (
      <a class="tag" href={searchAddress({ vault, query: `tag:${tag}` })}>
        {tag}
      </a>
    );
  }
  const link = links.get(key);
  if (link !== undefined) {
    const shown = cut(link.displayText);
    const target = targetOfLink(link.link, note.targets);
    return renderLink(target, { vault, children: renderText(shown, []), text: shown });
  }
  if (/^https?:\/\/\S+$/i.test(text)) {
    const shown = cut(text);
    return renderLink(webTarget(text), { vault, children: renderText(shown, []), text: shown });
  }
  return dateOf(text) ?? renderText(cut(text), []);
}

/** A date, or a date with a time, as people write it; undefined for any other text. */
function dateOf(text: string): string | undefined {
  const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?$/.exec(text);
  if (found === null) return undefined;
  const [, day = '', time] = found;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
  const shown = new Intl.DateTimeFormat(strings.locale, { dateStyle: 'long', timeZone: 'UTC' });
  return time === undefined ? shown.format(date) : `${shown.format(date)}, ${time}`;
}

function isTagKey(key: string): boolean {
  return /^tags?(?:\.\d+)?$/i.test(key);
}

function cut(text: string): string {
  const { propertyCharsMax } = consoleNoteLimits;
  return text.length > propertyCharsMax ? `${text.slice(0, propertyCharsMax)}…` : text;
}
