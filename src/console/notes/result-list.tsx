import { foldedMarks } from '../note/mark-words.ts';
import { addressOf, type NotesPlace } from '../page/place.ts';
import { Sentence } from '../parts/sentence.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { HitName } from './hit-name.tsx';
import { markLine } from './mark-line.ts';
import { queryTerms } from './query-terms.ts';
import { found, isLoadingMore, search, searchFailure, searchMore } from './search-state.ts';

type Hit = NonNullable<typeof found.value>['answer']['hits'][number];

/** What a search has found: notes with the lines that show why, and what else there is to say. */
export function ResultList({ place }: { readonly place: NotesPlace }) {
  const { query = '' } = place;
  const failure = searchFailure.value;
  if (failure !== undefined) {
    // A query that is not understood is half typed, most of the time: one line says what is missing.
    return failure.code === 'invalid_input' || failure.code === 'too_large' ? (
      <p class="search-news" role="status">
        {failure.message}
      </p>
    ) : (
      <Failure failure={failure} retry={() => void search(query)} />
    );
  }
  if (found.value === undefined) return <Loading lines={9} />;
  const { answer } = found.value;
  const said = notesStrings.searchNews(answer);
  const corrected = answer.corrected?.flatMap(({ to }) => to) ?? [];
  const terms = foldedMarks([...queryTerms(found.value.query), ...corrected]);
  return (
    <>
      {said.length === 0 ? undefined : (
        <p class="search-news" role="status">
          <Sentence pieces={said} />
        </p>
      )}
      {answer.hits.length === 0 ? (
        <Empty icon="search" title={notesStrings.nothingFound}>
          <p>{notesStrings.nothingFoundMore}</p>
        </Empty>
      ) : undefined}
      <ol class="hits">
        {answer.hits.map((hit) => (
          <li key={hit.path}>
            <HitLink hit={hit} terms={terms} place={place} />
          </li>
        ))}
      </ol>
      {answer.hits.length < answer.total ? (
        <p class="more-results">
          <button type="button" class="btn" disabled={isLoadingMore.value} onClick={searchMore}>
            {notesStrings.showMore(answer.hits.length, answer.total)}
          </button>
        </p>
      ) : undefined}
    </>
  );
}

function HitLink({
  hit,
  terms,
  place,
}: {
  readonly hit: Hit;
  readonly terms: readonly string[];
  readonly place: NotesPlace;
}) {
  const { path, lines, matches, orMore, matched } = hit;
  const { query, vault } = place;
  const to: NotesPlace = {
    screen: 'notes',
    path,
    ...(vault === undefined ? {} : { vault }),
    ...(query === undefined ? {} : { query }),
  };
  return (
    <a
      class="hit"
      href={addressOf(to)}
      data-path={path}
      aria-current={place.path === path ? 'true' : undefined}
    >
      <HitName path={path} />
      {lines.map(({ line, page, text }) => (
        <span class="hit-line" key={`${page} ${line}`}>
          <span class="faint" aria-hidden={page === undefined}>
            {page === undefined ? line : notesStrings.page(page)}
          </span>
          <span dir="auto">
            <MarkedLine text={text} terms={terms} />
          </span>
        </span>
      ))}
      {matches === undefined || matches <= lines.length ? undefined : (
        <span class="hit-more faint">{notesStrings.moreLines(matches, orMore === true)}</span>
      )}
      {matched === undefined ? undefined : (
        <span class="hit-more faint">
          {matched === 'name' ? notesStrings.byName : notesStrings.byPath}
        </span>
      )}
    </a>
  );
}

/** A line in which the words of the query stand out. */
function MarkedLine({ text, terms }: { readonly text: string; readonly terms: readonly string[] }) {
  return (
    <>
      {markLine(text, terms).map((piece) =>
        piece.isMarked ? <mark>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}
