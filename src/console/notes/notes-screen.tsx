import { useEffect, useRef } from 'preact/hooks';
import { noteName } from '../../tools/wording/describe-change.ts';
import { go } from '../page/address.ts';
import { type KeyAction, onKey } from '../page/keys.ts';
import type { NotesPlace } from '../page/place.ts';
import { indexState, me } from '../page/server-state.ts';
import { followNews, news } from '../page/vault-news.ts';
import { Mark } from '../parts/icon.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Empty } from '../parts/states.tsx';
import { VaultPicker } from '../parts/vault-picker.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { strings } from '../words/strings.ts';
import { BeginList } from './begin-list.tsx';
import { NotePage } from './note-page.tsx';
import { ResultList } from './result-list.tsx';
import { SearchBox } from './search-box.tsx';
import { found, search } from './search-state.ts';

/** Searching and reading notes: the results, the note, and what is known about it. */
export function NotesScreen({ place }: { readonly place: NotesPlace }) {
  const { path, query = '', vault } = place;
  const list = useRef<HTMLElement>(null);
  const now = useRef(place);
  now.current = place;
  const isKnown = me.value !== undefined;
  const count = news.value;
  useEffect(() => {
    const stops = [followNews(), onKey((action) => press(action, now.current, list.current))];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  useEffect(() => {
    if (isKnown) void search(query);
  }, [query, vault, isKnown]);
  // Results stay as they are while someone looks at them, unless the index was not ready for them.
  useEffect(() => {
    if (found.peek()?.answer.incomplete === 'indexing') void search(query);
  }, [count]);
  const title = path === undefined ? strings.screens.notes : noteName(path);
  useEffect(() => {
    document.title = strings.title(title);
  }, [title]);
  const state = indexState.value;
  return (
    <div class={path === undefined ? 'notes' : 'notes is-open'}>
      <section class="results scroll" ref={list} {...scrolling} aria-label={notesStrings.results}>
        <header class="top notes-top">
          <span class="only-phone">
            <Mark />
          </span>
          {path === undefined ? <h1 tabIndex={-1}>{strings.screens.notes}</h1> : undefined}
          <span class="grow" />
          <span class="only-phone">
            <VaultPicker isSmall />
          </span>
        </header>
        <SearchBox place={place} />
        {state === undefined || state.stage === 'ready' ? undefined : (
          <p class="search-news" role="status">
            {strings.indexing(state.stage, state.done, state.total ?? 0)}
          </p>
        )}
        {query.trim() === '' ? <BeginList place={place} /> : <ResultList place={place} />}
      </section>
      {path === undefined ? (
        <div class="reading not-phone">
          <Empty icon="notes" title={notesStrings.chooseNote}>
            <p>{notesStrings.chooseNoteMore}</p>
          </Empty>
        </div>
      ) : (
        <NotePage place={{ ...place, path }} />
      )}
    </div>
  );
}

/** What keys do on this screen. Answers whether the key had a meaning here. */
function press(action: KeyAction, place: NotesPlace, list: HTMLElement | null): boolean {
  switch (action.do) {
    case 'next':
    case 'previous':
      step(action.do === 'next' ? 1 : -1, place, list);
      return true;
    case 'back': {
      if (place.path === undefined) return false;
      const { path, heading: _, version, compare, ...rest } = place;
      // From an earlier version the way back leads to the note first.
      go(version === undefined && compare === undefined ? rest : { ...rest, path });
      linkTo(path, list)?.focus();
      return true;
    }
    default:
      return false;
  }
}

/** Opens the next or the previous note of the list. */
function step(by: 1 | -1, place: NotesPlace, list: HTMLElement | null): void {
  const links = linksIn(list);
  const at = links.findIndex((link) => link.dataset['path'] === place.path);
  const to = at === -1 ? links[by === 1 ? 0 : links.length - 1] : links[at + by];
  const path = to?.dataset['path'];
  if (to === undefined || path === undefined) return;
  const { vault, query } = place;
  const next = {
    screen: 'notes' as const,
    path,
    ...(vault === undefined ? {} : { vault }),
    ...(query === undefined ? {} : { query }),
  };
  go(next, place.path === undefined ? 'push' : 'replace');
  to.focus();
  to.scrollIntoView({ block: 'nearest' });
}

function linksIn(list: HTMLElement | null): HTMLElement[] {
  return Array.from(list?.querySelectorAll<HTMLElement>('[data-path]') ?? []);
}

function linkTo(path: string, list: HTMLElement | null): HTMLElement | undefined {
  return linksIn(list).find((link) => link.dataset['path'] === path);
}
