import type { ComponentChildren } from 'preact';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { addressOf, type HealthList, healthLists, type Place } from '../page/place.ts';
import { canUndo } from '../page/server-state.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { healthStrings } from '../words/health-strings.ts';
import { hasLinks, type ListPages, listPages, oneList } from './health-state.ts';
import { FileName, NoteLink } from './note-link.tsx';
import { addressOfList } from './tiles.tsx';

type Health = Extract<Place, { screen: 'health' }>;
type Rows<List extends HealthList> = NonNullable<ListPages[List]>['items'];

const icons: Readonly<Record<HealthList, IconName>> = {
  conflicts: 'copy',
  problems: 'warning',
  refused: 'away',
  absent: 'down',
  unresolved: 'link',
  orphans: 'notes',
};

/** The first rows of every list that is not empty, and one sentence about those that are. */
export function ShortLists({ place }: { readonly place: Health }) {
  const pages = listPages();
  const known = healthLists.filter((list) => pages[list] !== undefined);
  const empty = known.filter((list) => pages[list]?.total === 0);
  return (
    <section>
      <h2>{healthStrings.needsLook}</h2>
      {known.length === 0 ? <Loading /> : undefined}
      {known.map((list) => {
        const total = pages[list]?.total ?? 0;
        if (total === 0) return undefined;
        return (
          <section key={list} class="short-list">
            <h3>
              {healthStrings.titles[list]} <small>{healthStrings.more[list]}</small>
            </h3>
            <ul class="list">{rowsOf(list, pages, place, consolePageLimits.healthRows)}</ul>
            {total <= consolePageLimits.healthRows ? undefined : (
              <a class="btn small" href={addressOfList(place, list)}>
                {healthStrings.showAll(total)}
                <span class="unseen">{healthStrings.allOf(list)}</span>
              </a>
            )}
          </section>
        );
      })}
      {hasLinks.value ? undefined : <p class="note-line">{healthStrings.stillReading}</p>}
      {empty.length === 0 || !hasLinks.value ? undefined : (
        <p class="note-line">
          <Icon name="tick" />{' '}
          <span>{healthStrings.allWell(empty.map((list) => healthStrings.none[list]))}</span>
        </p>
      )}
    </section>
  );
}

/** One list, a page at a time. */
export function OneList({
  place,
  list,
  from,
}: {
  readonly place: Health;
  readonly list: HealthList;
  readonly from: number;
}) {
  const known = oneList.value;
  const isThis = known?.list === list && known.from === from;
  const page = isThis ? known.pages[list] : undefined;
  const { list: _, from: _from, ...all } = place;
  const size = consolePageLimits.healthPage;
  const total = page?.total ?? 0;
  const shown = page?.items.length ?? 0;
  return (
    <section>
      <p>
        <a class="btn small quiet" href={addressOf(all)}>
          <Icon name="back" /> {healthStrings.backToHealth}
        </a>
      </p>
      <h2>{healthStrings.titles[list]}</h2>
      <p class="faint">{healthStrings.more[list]}</p>
      {page === undefined ? <Loading lines={9} /> : undefined}
      {page !== undefined && shown === 0 ? (
        <Empty icon="tick" title={healthStrings.emptyList} />
      ) : undefined}
      {shown === 0 ? undefined : (
        <>
          <ul class="list">{rowsOf(list, known?.pages ?? {}, place, size)}</ul>
          <nav class="pager" aria-label={healthStrings.pages}>
            {from > 0 ? (
              <a class="btn small" href={addressOfList(place, list, Math.max(0, from - size))}>
                {healthStrings.earlier}
              </a>
            ) : undefined}
            <span class="faint">{healthStrings.rows(from + 1, from + shown, total)}</span>
            {from + shown < total ? (
              <a class="btn small" href={addressOfList(place, list, from + size)}>
                {healthStrings.later}
              </a>
            ) : undefined}
          </nav>
        </>
      )}
    </section>
  );
}

/** The rows of a list, at most so many. */
function rowsOf(list: HealthList, pages: ListPages, place: Health, max: number): ComponentChildren {
  switch (list) {
    case 'conflicts':
      return first(pages.conflicts?.items, max).map((row) => (
        <ConflictRow key={row.path} row={row} place={place} />
      ));
    case 'problems':
      return first(pages.problems?.items, max).map(({ path, message }, at) => (
        <Row key={`${path} ${at}`} list={list} more={message}>
          <NoteLink path={path} />
        </Row>
      ));
    case 'refused':
      return first(pages.refused?.items, max).map(({ path, reason }) => (
        <Row key={path} list={list} more={reason}>
          <FileName path={path} />
        </Row>
      ));
    case 'absent':
      return first(pages.absent?.items, max).map((path) => (
        <Row key={path} list={list}>
          <FileName path={path} />
        </Row>
      ));
    case 'orphans':
      return first(pages.orphans?.items, max).map((path) => (
        <Row key={path} list={list}>
          <NoteLink path={path} />
        </Row>
      ));
    case 'unresolved':
      return first(pages.unresolved?.items, max).map((row) => (
        <UnresolvedRow key={row.link} row={row} />
      ));
  }
}

function first<T>(items: readonly T[] | undefined, max: number): readonly T[] {
  return items?.slice(0, max) ?? [];
}

function Row({
  list,
  more,
  children,
}: {
  readonly list: HealthList;
  readonly more?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li>
      <Icon name={icons[list]} />
      <span class="grow">
        {children}
        {more === undefined ? undefined : <small class="below">{more}</small>}
      </span>
    </li>
  );
}

const sourcesShown = 3;
/** The server names at most this many, however many there are. */
const sourcesMax = 10;

function UnresolvedRow({ row }: { readonly row: Rows<'unresolved'>[number] }) {
  const { link, count, sources } = row;
  const shown = sources.slice(0, sourcesShown);
  return (
    <li>
      <Icon name="link" />
      <span class="grow">
        <b>
          <bdi>{link}</bdi>
        </b>
        <small class="below">
          {healthStrings.linkedIn}
          {shown.map((path, at) => (
            <span key={path}>
              {at === 0 ? '' : ', '}
              <NoteLink path={path} isShort />
            </span>
          ))}
          {othersText(sources.length)}
        </small>
      </span>
      <small>{healthStrings.links(count)}</small>
    </li>
  );
}

function othersText(sources: number): string {
  if (sources <= sourcesShown) return '';
  return sources < sourcesMax
    ? healthStrings.andMore(sources - sourcesShown)
    : healthStrings.andOthers;
}

function ConflictRow({
  row: { path, conflictOf },
  place,
}: {
  readonly row: Rows<'conflicts'>[number];
  readonly place: Health;
}) {
  return (
    <li class="conflict">
      <Icon name="copy" />
      <span class="grow">
        <NoteLink path={path} />
        <small class="below">
          {healthStrings.copyOf}
          <NoteLink path={conflictOf} isShort />
        </small>
      </span>
      {canUndo.value ? (
        <a class="btn small" href={addressOf({ ...place, conflict: path })}>
          {healthStrings.compareMerge}
          <span class="unseen"> {path}</span>
        </a>
      ) : undefined}
    </li>
  );
}
