import { useEffect, useRef, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { go } from '../page/address.ts';
import { wantsFind } from '../page/find-note.ts';
import type { NotesPlace } from '../page/place.ts';
import { Icon } from '../parts/icon.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { found, stopSearch } from './search-state.ts';

/** What a tap adds to the query, and which part of it is then selected, to be typed over. */
const operators: readonly (readonly [text: string, selected: string])[] = [
  ['tag:', ''],
  ['path:', ''],
  ['task-todo:', ''],
  ['[rating:>=4]', 'rating:>=4'],
  ['/regex/', 'regex'],
  ['"a phrase"', 'a phrase'],
];

/** The one box for searching. The address follows it, and the search follows the address. */
export function SearchBox({ place }: { readonly place: NotesPlace }) {
  const { query = '' } = place;
  const [text, setText] = useState(query);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const now = useRef(place);
  now.current = place;
  // What was typed is newer than the address; anything else that changed the address is not.
  const sent = useRef(query);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  const isWanted = wantsFind.value;
  useEffect(() => {
    if (!isWanted) return;
    wantsFind.value = false;
    box.current?.focus();
    box.current?.select();
  }, [isWanted]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string, waitMs: number): void => {
    setText(typed);
    stopSearch();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed;
      const { query: _, ...rest } = now.current;
      go(typed === '' ? rest : { ...rest, query: typed }, 'replace');
    }, waitMs);
  };
  const add = (operator: string, selected: string): void => {
    const input = box.current;
    if (input === null) return;
    const start = text === '' || /\s$/.test(text) ? text : `${text} `;
    const typed = `${start}${operator}`;
    setText(typed);
    if (selected !== '') type(typed, 0);
    input.value = typed;
    input.focus();
    const at = selected === '' ? typed.length : start.length + operator.indexOf(selected);
    input.setSelectionRange(at, at + selected.length);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      type('', 0);
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      const first = document.querySelector<HTMLElement>('.results [data-path]');
      if (first === null || event.isComposing) return;
      event.preventDefault();
      first.focus();
      if (event.key === 'Enter') first.click();
    }
  };
  const total = found.value?.query === query ? found.value.answer.total : undefined;
  return (
    <search class="search-box">
      <div class="search-field">
        <Icon name="search" />
        <input
          ref={box}
          type="search"
          class="grow"
          aria-label={notesStrings.search}
          placeholder={notesStrings.searchHint}
          value={text}
          maxLength={consolePageLimits.queryCharsMax}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={({ currentTarget }) => type(currentTarget.value, consolePageLimits.searchWaitMs)}
          onKeyDown={press}
        />
        <span class="faint" aria-live="polite">
          {total === undefined ? '' : notesStrings.notes(total)}
        </span>
      </div>
      <fieldset class="operators" aria-label={notesStrings.operators}>
        {operators.map(([operator, selected]) => (
          <button type="button" key={operator} onClick={() => add(operator, selected)}>
            <code>{operator}</code>
          </button>
        ))}
      </fieldset>
    </search>
  );
}
