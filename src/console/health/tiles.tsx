import type { ComponentChildren } from 'preact';
import { addressOf, type HealthList, type Place } from '../page/place.ts';
import { indexState } from '../page/server-state.ts';
import { healthStrings } from '../words/health-strings.ts';
import { strings } from '../words/strings.ts';
import { hasLinks, listPages, orphans, problems, sizes, unresolved } from './health-state.ts';

type Health = Extract<Place, { screen: 'health' }>;

/** The numbers that say at a glance how the vault is. */
export function Tiles({ place }: { readonly place: Health }) {
  const known = problems.value.value;
  const { conflicts, problems: broken, refused, absent } = listPages();
  const all = [conflicts, broken, refused, absent].reduce((sum, of) => sum + (of?.total ?? 0), 0);
  const links = unresolved.value.value;
  const alone = orphans.value.value;
  return (
    <div class="tiles">
      <IndexTile />
      <Tile
        title={healthStrings.titles.unresolved}
        number={links?.total}
        more={
          links === undefined
            ? healthStrings.afterIndex
            : links.total === 0
              ? healthStrings.noneBroken
              : links.items.map(({ link }) => link).join(', ')
        }
        href={(links?.total ?? 0) === 0 ? undefined : addressOfList(place, 'unresolved')}
      />
      <Tile
        title={healthStrings.titles.orphans}
        number={alone?.total}
        more={
          alone === undefined
            ? healthStrings.afterIndex
            : alone.total === 0
              ? healthStrings.noOrphans
              : healthStrings.more.orphans
        }
        href={(alone?.total ?? 0) === 0 ? undefined : addressOfList(place, 'orphans')}
      />
      <Tile
        title={healthStrings.problemsTile}
        number={known !== undefined && hasLinks.value ? all : undefined}
        more={hasLinks.value ? healthStrings.problemsTileMore : healthStrings.afterIndex}
      />
    </div>
  );
}

/** The address of one list alone. */
export function addressOfList(place: Health, list: HealthList, from = 0): string {
  const { vault } = place;
  return addressOf({
    screen: 'health',
    list,
    ...(from === 0 ? {} : { from }),
    ...(vault === undefined ? {} : { vault }),
  });
}

function Tile({
  title,
  number,
  more,
  href,
}: {
  readonly title: string;
  readonly number: number | undefined;
  readonly more: string;
  readonly href?: string | undefined;
}) {
  const content = (
    <>
      <h2>{title}</h2>
      <p class="number">{number === undefined ? '…' : strings.number(number)}</p>
      <p class="cut faint" dir="auto">
        {more}
      </p>
    </>
  );
  return href === undefined ? (
    <section class="tile">{content}</section>
  ) : (
    <a class="tile" href={href}>
      {content}
    </a>
  );
}

/** How far the index is; live while it is built. */
function IndexTile() {
  const state = indexState.value;
  const files = sizes.value.value?.files;
  const counted =
    files === undefined
      ? ''
      : healthStrings.filesOf(files.note, files.attachment + files.canvas + files.base);
  if (state === undefined || state.stage === 'ready') {
    return (
      <IndexTileFrame isReady={state !== undefined}>
        <p class="number">{state === undefined ? '…' : healthStrings.ready}</p>
        <p class="cut faint">{counted}</p>
      </IndexTileFrame>
    );
  }
  const { stage, done, total = 0 } = state;
  const words =
    stage === 'walking'
      ? healthStrings.looking
      : stage === 'facts'
        ? healthStrings.readingNotes
        : healthStrings.fillingText;
  return (
    <IndexTileFrame isReady={false}>
      <p class="number">{total === 0 ? words : healthStrings.percent(done / total)}</p>
      <progress
        aria-label={healthStrings.indexProgress}
        {...(total === 0 ? {} : { max: total, value: done })}
      />
      <p class="faint">
        {total === 0 ? '' : `${words}: `}
        {healthStrings.indexDone(done, total)}
      </p>
    </IndexTileFrame>
  );
}

function IndexTileFrame({
  isReady,
  children,
}: {
  readonly isReady: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="tile" aria-live="off">
      <h2>
        <span class={isReady ? 'dot' : 'dot off'} /> {healthStrings.index}
      </h2>
      {children}
    </section>
  );
}
