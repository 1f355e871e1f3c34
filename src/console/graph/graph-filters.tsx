import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { go } from '../page/address.ts';
import { addressOf, type GraphPlace } from '../page/place.ts';
import { useAnswer } from '../page/use-answer.ts';
import { Pick, Toggle } from '../parts/pick.tsx';
import { graphStrings } from '../words/graph-strings.ts';

/** What the graph shows. Each choice is part of the address. */
export function GraphFilters({
  place,
  offersFolders,
  isList,
  flipList,
}: {
  readonly place: GraphPlace;
  readonly offersFolders?: 'notes' | 'folders' | undefined;
  readonly isList: boolean;
  readonly flipList: () => void;
}) {
  const { answer: folders } = useAnswer<ConsoleAnswer<'folders'>>(
    '/folders',
    {},
    { follows: false },
  );
  const { answer: tags } = useAnswer<ConsoleAnswer<'tags'>>('/tags', {}, { follows: false });
  const { draws: _, ...rest } = place;
  const { around, depth = 1, vault } = place;
  const choose = (name: 'folder' | 'tag', value: string | undefined): void => {
    const { [name]: _before, ...others } = rest;
    go(value === undefined ? others : { ...others, [name]: value });
  };
  const most = consolePageLimits.graphChoices;
  const folderNames = (folders?.items ?? [])
    .filter(({ folder, notes }) => folder !== '' && notes > 0)
    .slice(0, most)
    .map(({ folder }) => folder as string);
  const tagNames = (tags?.items ?? [])
    .toSorted((a, b) => b.files - a.files)
    .slice(0, most)
    .map(({ tag }) => tag.replace(/^#/, ''));
  return (
    <fieldset class="filters" aria-label={graphStrings.filters}>
      {around === undefined ? (
        <>
          <Pick
            label={graphStrings.folder}
            all={graphStrings.allFolders}
            value={place.folder}
            options={withOwn(folderNames, place.folder)}
            choose={(folder) => choose('folder', folder)}
          />
          <Pick
            label={graphStrings.tag}
            all={graphStrings.anyTag}
            value={place.tag}
            options={withOwn(tagNames, place.tag)}
            choose={(tag) => choose('tag', tag)}
          />
        </>
      ) : (
        <>
          <a
            class="pick"
            href={addressOf({ screen: 'graph', ...(vault === undefined ? {} : { vault }) })}
          >
            {graphStrings.wholeVault}
          </a>
          <Pick
            label={graphStrings.depth}
            all={graphStrings.away(1)}
            value={depth === 1 ? undefined : String(depth)}
            options={Array.from({ length: consolePageLimits.graphDepthMax - 1 }, (_, at) => [
              String(at + 2),
              graphStrings.away(at + 2),
            ])}
            choose={(chosen) => {
              const { depth: _before, ...others } = rest;
              go(chosen === undefined ? others : { ...others, depth: Number(chosen) });
            }}
          />
        </>
      )}
      {offersFolders === undefined ? undefined : (
        <a class="pick" href={addressOf({ ...place, draws: offersFolders })}>
          {offersFolders === 'notes' ? graphStrings.drawnNotes : graphStrings.drawnFolders}
        </a>
      )}
      <Toggle label={graphStrings.asList} isOn={isList} flip={flipList} />
    </fieldset>
  );
}

function withOwn(names: readonly string[], own: string | undefined): (readonly [string, string])[] {
  const all = own === undefined || names.includes(own) ? names : [own, ...names];
  return all.map((name) => [name, name]);
}
