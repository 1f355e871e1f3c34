import type { FunctionComponent } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { type BaseProps, EmbedContext } from '../note/embed-book.ts';
import { ObsidianLink } from '../note/obsidian-link.tsx';
import { renderText } from '../note/render-text.ts';
import { VaultPicture } from '../note/vault-picture.tsx';
import { go, place } from '../page/address.ts';
import { baseStrings as words } from '../words/base-strings.ts';
import { renderingStrings } from '../words/rendering-strings.ts';
import { strings } from '../words/strings.ts';
import { type BaseFailure, useBase, useInSight } from './ask-base.ts';
import type { Drawing } from './base-cell.ts';
import {
  BaseCards,
  BaseList,
  BaseSummaries,
  BaseTable,
  type ShownBase,
  scrolling,
} from './base-rows.tsx';
import { errorPlace } from './cell-words.ts';

/** How many rows are shown at first, and how many more with each step. */
const firstRows = 50;
const moreRows = 100;

/** The address of the style sheet of bases, which `scripts/bundle-console.mjs` fills in. */
declare const baseStyleAddress: string;

/** The part that shows bases, once its style sheet is there, too. */
export async function loadBasePart(): Promise<FunctionComponent<BaseProps>> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = baseStyleAddress;
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(words.noStyle));
    document.head.append(link);
  });
  return BasePart;
}

/** A base: a file by itself, embedded in a note, or a code block of a note. */
function BasePart(props: BaseProps) {
  const { isOld, text = '' } = props;
  return isOld === true ? <PlainText text={text} /> : <BaseView {...props} />;
}

/** A view of a base, and the choice of others. */
function BaseView(props: BaseProps) {
  const { path, block, text, isPage = false } = props;
  const { vault } = useContext(EmbedContext);
  const root = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [limit, setLimit] = useState(firstRows);
  const view = chosen ?? props.view;
  const choose = (name: string): void => {
    setLimit(firstRows);
    const here = place.peek();
    // On a page of its own the view is a part of the address.
    if (isPage && here.screen === 'notes') go({ ...here, heading: name });
    else setChosen(name);
  };
  const isInSight = useInSight(root);
  const { answer, failure, isWaiting, again } = useBase(
    {
      path,
      ...(block === undefined ? {} : { block }),
      ...(props.self === undefined ? {} : { this: props.self }),
      ...(view === undefined ? {} : { view }),
      limit,
    },
    isInSight,
  );
  useEffect(() => setLimit(firstRows), [props.view]);
  const written = block ?? text;
  return (
    <div class="base" ref={root} aria-busy={isWaiting && isInSight}>
      {failure !== undefined ? (
        <Failed failure={failure} again={again} />
      ) : answer === undefined ? (
        <Loading />
      ) : (
        <>
          <Head shown={answer} choose={choose} />
          <Problems errors={answer.errors} />
          <Rows shown={answer} drawing={{ vault, Picture: VaultPicture }} />
          <Rest shown={answer} limit={limit} isWaiting={isWaiting} show={setLimit} />
        </>
      )}
      {written === undefined ? undefined : <Written text={written} />}
    </div>
  );
}

function Rows(props: { readonly shown: ShownBase; readonly drawing: Drawing }) {
  const { shown } = props;
  if (shown.rows.length === 0) {
    return shown.errors.length > 0 ? null : <p class="faint">{words.noRows}</p>;
  }
  return (
    <>
      {shown.type === 'cards' ? (
        <BaseCards {...props} />
      ) : shown.type === 'list' ? (
        <BaseList {...props} />
      ) : (
        <BaseTable {...props} />
      )}
      <BaseSummaries {...props} />
    </>
  );
}

/** Which view is shown, the others to choose from, and how many rows it has. */
function Head({
  shown,
  choose,
}: {
  readonly shown: ShownBase;
  readonly choose: (view: string) => void;
}) {
  const { view, views, viewCount, type, total, matching } = shown;
  const isKnown = views.some(({ name }) => name === view);
  return (
    <>
      <div class="base-head">
        {views.length > 1 || !isKnown ? (
          <span class="pick-list">
            <select
              class="pick on"
              aria-label={words.view}
              value={view}
              onChange={({ currentTarget }) => choose(currentTarget.value)}
            >
              {isKnown ? undefined : <option value={view}>{view}</option>}
              {views.map(({ name }, at) => (
                <option key={at} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </span>
        ) : undefined}
        <span class="faint">
          {matching === undefined ? words.rows(total) : words.rowsOf(total, matching)}
        </span>
      </div>
      {['table', 'cards', 'list'].includes(type) ? undefined : (
        <p class="note-limit">{words.asTable(type.slice(0, 60))}</p>
      )}
      {viewCount > views.length ? (
        <p class="note-limit">{words.viewsCut(views.length, viewCount)}</p>
      ) : undefined}
    </>
  );
}

/** What is wrong inside the base, each with its place. */
function Problems({ errors }: { readonly errors: ShownBase['errors'] }) {
  if (errors.length === 0) return null;
  return (
    <div class="broken-props" role="note">
      {errors[0]?.code === 'unknown_view' ? undefined : (
        <p>
          <b>{words.problems(errors.length)}</b>
        </p>
      )}
      <ul>
        {errors.map(({ at, code, message, line, column, count }) => {
          const where = errorPlace(at);
          return (
            <li key={`${code} ${at}`}>
              {where === '' ? undefined : <b>{words.place(where, line, column)}: </b>}
              {renderText(message, [])} {count > 1 ? words.inFiles(count) : ''}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Why there is nothing to show: in the server's words. What lies not in the base can be tried again. */
function Failed({ failure, again }: { readonly failure: BaseFailure; readonly again: () => void }) {
  const isOwn = failure.code === 'invalid_input' || failure.code === 'not_found';
  return (
    <div class="broken-props" role="note">
      <p>{renderText(failure.message, [])}</p>
      {isOwn ? undefined : (
        <button type="button" class="btn small" onClick={again}>
          {strings.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Grey lines, as other parts of the page have them; made here, to load no more than is needed. */
function Loading() {
  return (
    <div class="loading" role="status" aria-label={strings.loading}>
      <i />
      <i />
      <i />
    </div>
  );
}

/** How much of a large view is shown, and more of it. */
function Rest({
  shown,
  limit,
  isWaiting,
  show,
}: {
  readonly shown: ShownBase;
  readonly limit: number;
  readonly isWaiting: boolean;
  readonly show: (rows: number) => void;
}) {
  const { rows, total, columns, columnCount, rowsMax } = shown;
  const isCut = !isWaiting && rows.length < Math.min(limit, total);
  const next = Math.min(moreRows, total - rows.length, rowsMax - rows.length);
  return (
    <>
      {columnCount > columns.length ? (
        <p class="note-limit">{words.columnsCut(columns.length, columnCount)}</p>
      ) : undefined}
      {rows.length < total && rows.length > 0 ? (
        <p class="base-rest">
          <span class="faint">
            {words.shown(rows.length, total)}{' '}
            {isCut ? words.tooLarge : next > 0 ? '' : words.mostShown}
          </span>{' '}
          {isCut || next <= 0 ? (
            <ObsidianLink path={shown.base} />
          ) : (
            <button
              type="button"
              class="btn small"
              disabled={isWaiting}
              onClick={() => show(rows.length + next)}
            >
              {words.more(next)}
            </button>
          )}
        </p>
      ) : undefined}
    </>
  );
}

/** The text of the base, folded. */
function Written({ text }: { readonly text: string }) {
  return (
    <details class="base-text">
      <summary>{words.itsText}</summary>
      <PlainText text={text} />
    </details>
  );
}

/** A text as it is, cut where it is too long. */
function PlainText({ text }: { readonly text: string }) {
  const shown = text.slice(0, consoleNoteLimits.charsMax);
  return (
    <>
      <pre class="plain" {...scrolling}>
        {renderText(shown, [])}
      </pre>
      {shown.length < text.length && (
        <p class="note-limit">{renderingStrings.charsCut(shown.length, text.length)}</p>
      )}
    </>
  );
}
