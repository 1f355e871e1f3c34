import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { noteName } from '../../tools/wording/describe-change.ts';
import { go } from '../page/address.ts';
import { addressOf, type GraphPlace } from '../page/place.ts';
import { useAnswer } from '../page/use-answer.ts';
import { followNews, news } from '../page/vault-news.ts';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { TopBar } from '../parts/top-bar.tsx';
import { graphStrings } from '../words/graph-strings.ts';
import { strings } from '../words/strings.ts';
import { GraphFilters } from './graph-filters.tsx';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';
import {
  aroundShape,
  folderShape,
  type GraphNode,
  type GraphShape,
  noteShape,
} from './graph-shape.ts';

/** The screen Graph: the vault or a part of it, or what is around a note. */
export function GraphScreen({ place }: { readonly place: GraphPlace }) {
  const [isList, setList] = useState(false);
  const [cannotDraw, setCannotDraw] = useState(false);
  const [drawnAt, setDrawnAt] = useState(news.value);
  useEffect(followNews, []);
  const { shape, summary, key, failure, again, offersFolders } = useGraph(place);
  const vault = place.vault === undefined ? {} : { vault: place.vault };
  const noteAddress = (path: string): string => addressOf({ screen: 'notes', path, ...vault });
  const folderPlace = (folder: string): GraphPlace => {
    const { folder: _, draws: _draws, around: _around, depth: _depth, ...rest } = place;
    return { ...rest, ...(folder === '' ? { draws: 'notes' } : { folder }) };
  };
  const isChanged = news.value !== drawnAt && shape !== undefined;
  const drawAgain = (): void => {
    setDrawnAt(news.peek());
    again();
  };
  return (
    <>
      <TopBar title={strings.screens.graph} more={summary ?? ''}>
        {isChanged ? (
          <button type="button" class="btn" onClick={drawAgain}>
            {graphStrings.drawAgain}
          </button>
        ) : undefined}
      </TopBar>
      <GraphFilters
        place={place}
        offersFolders={offersFolders}
        isList={isList}
        flipList={() => setList(!isList)}
      />
      {failure === undefined ? undefined : <Failure failure={failure} retry={again} />}
      {shape === undefined && failure === undefined ? <Loading lines={9} /> : undefined}
      {shape?.nodes.length === 0 ? (
        <Empty icon="graph" title={graphStrings.empty}>
          <p>{graphStrings.emptyMore}</p>
        </Empty>
      ) : undefined}
      {cannotDraw && !isList ? <p class="line-above">{graphStrings.noPicture}</p> : undefined}
      {shape === undefined || shape.nodes.length === 0 ? undefined : isList || cannotDraw ? (
        <GraphList
          key={key}
          shape={shape}
          addressOf={({ path }) =>
            shape.kind === 'folders' ? addressOf(folderPlace(path)) : noteAddress(path)
          }
        />
      ) : (
        <GraphPicture shape={shape} layoutKey={key} onNoPicture={() => setCannotDraw(true)}>
          {(node: GraphNode) =>
            shape.kind === 'folders' ? (
              <button
                type="button"
                class="btn small main"
                onClick={() => go(folderPlace(node.path))}
              >
                {graphStrings.openFolder}
              </button>
            ) : (
              <>
                <a class="btn small main" href={noteAddress(node.path)}>
                  {graphStrings.openNote}
                </a>
                <a
                  class="btn small"
                  href={addressOf({ screen: 'graph', around: node.path, ...vault })}
                >
                  {graphStrings.onlyAround}
                </a>
              </>
            )
          }
        </GraphPicture>
      )}
    </>
  );
}

/** Asks for the graph of a place, and says what is drawn of it. */
function useGraph(place: GraphPlace): {
  readonly shape?: GraphShape;
  readonly summary?: string;
  readonly key: string;
  readonly failure?: ReturnType<typeof useAnswer>['failure'];
  readonly again: () => void;
  /** Whether folders can be drawn in place of notes, or the other way round. */
  readonly offersFolders?: 'notes' | 'folders';
} {
  const { around, depth = 1, folder = '', tag } = place;
  const near = useAnswer<ConsoleAnswer<'neighbors'>>(
    around === undefined ? undefined : '/neighbors',
    {
      path: around,
      depth: Math.min(depth, consolePageLimits.graphDepthMax),
      limit: consolePageLimits.graphAroundMax,
    },
    { follows: false },
  );
  const outline = useAnswer<ConsoleAnswer<'graph'>>(
    around === undefined ? '/graph' : undefined,
    { folder: folder === '' ? undefined : folder, tag },
    { follows: false },
  );
  if (around !== undefined) {
    const { answer, failure, again } = near;
    const key = JSON.stringify([place, answer?.at]);
    if (answer === undefined) return { key, again, ...(failure === undefined ? {} : { failure }) };
    const others = answer.nodes.length - 1;
    const summary = (answer.truncated ? graphStrings.aroundCut : graphStrings.around)(
      noteName(around),
      others,
    );
    return { key, again, shape: aroundShape(answer), summary };
  }
  const { answer, failure, again } = outline;
  const key = JSON.stringify([place, answer?.at]);
  if (answer === undefined) return { key, again, ...(failure === undefined ? {} : { failure }) };
  const isLarge = answer.notes > answer.drawn;
  const others = answer.nodes.filter(([path]) => !path.endsWith('.md')).length;
  const files = { all: answer.notes, ...(isLarge ? {} : { others }) };
  const draws =
    place.draws ?? (isLarge && folder === '' && tag === undefined ? 'folders' : 'notes');
  if (draws === 'folders' && answer.folders.length > 0) {
    const { groups, folders, lines, between } = answer;
    const summary = [
      graphStrings.folders(groups, files),
      ...(folders.length < groups ? [graphStrings.largest(folders.length)] : []),
      ...(between.length < lines ? [graphStrings.someLinks(between.length, lines)] : []),
    ].join(' ');
    return { key, again, shape: folderShape(answer), summary, offersFolders: 'notes' };
  }
  const shape = noteShape(answer, folder);
  const [drawn, pairs] = [answer.edges.length / 2, answer.pairs];
  const notes = isLarge
    ? graphStrings.best(answer.drawn, files)
    : graphStrings.all(files, pairs, drawn < pairs);
  return {
    key,
    again,
    shape,
    summary: drawn < pairs ? `${notes} ${graphStrings.someLinks(drawn, pairs)}` : notes,
    ...(answer.groups > 1 ? { offersFolders: 'folders' as const } : {}),
  };
}
