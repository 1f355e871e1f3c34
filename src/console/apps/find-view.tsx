import { useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { Icon } from '../parts/icon.tsx';
import { LocalGraph } from '../parts/local-graph.tsx';
import { scrolling } from '../parts/scrolling.ts';
import { Loading } from '../parts/states.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { appStrings } from '../words/app-strings.ts';
import type { Host } from './host.ts';
import { type Found, type FoundLine, type FoundNote, noteTextIn, readFound } from './read-found.ts';
import type { ReadResult } from './read-result.ts';
import { Failed, startView, type ViewProps } from './start-view.tsx';
import { unseenByModel, useCall, vaultOf } from './use-call.ts';

/** The result of search_notes, vault_search or graph_neighbors. */
function FindView({ result, input, host }: ViewProps) {
  const found = result.value === undefined ? undefined : readFound(result.value);
  if (found === undefined) {
    return (
      <>
        <h1>{appStrings.found}</h1>
        <p class="app-note">{result.text}</p>
      </>
    );
  }
  return <FoundNotes first={found} input={input} host={host} {...vaultOf(result)} />;
}

interface FoundProps extends Pick<ViewProps, 'host' | 'input'> {
  readonly first: Found;
  readonly vault?: string;
}

function FoundNotes({ first, input, host, vault }: FoundProps) {
  const [pages, setPages] = useState<readonly Found[]>([first]);
  const more = useCall(host, 'search_notes');
  const { links, remarks, total, reader } = first;
  const notes = pages.flatMap((page) => page.notes);
  const middle = notes.find(({ depth }) => depth === 0);
  const offset = pages.at(-1)?.nextOffset;
  const load = async (): Promise<void> => {
    const where = vault === undefined ? {} : { vault };
    const page = await more.start({ ...input, ...where, offset, ...unseenByModel });
    const found = readFound(page?.value ?? {});
    if (found !== undefined) setPages([...pages, found]);
  };
  return (
    <>
      <h1>
        {links === undefined ? appStrings.found : appStrings.around}{' '}
        <small class="app-facts">{appStrings.shownOf(notes.length, total ?? notes.length)}</small>
      </h1>
      {links === undefined || middle === undefined || notes.length < 2 ? undefined : (
        <LocalGraph path={middle.path} graph={{ nodes: notes, edges: links }} />
      )}
      {notes.length === 0 ? <p class="app-note">{appStrings.nothingFound}</p> : undefined}
      <ul class="app-list">
        {notes.map((note) => (
          <NoteRow key={note.path} note={note} reader={reader} host={host} vault={vault} />
        ))}
      </ul>
      {remarks.map((remark) => (
        <p class="app-note">{remark}</p>
      ))}
      {offset === undefined || !host.callsTools ? undefined : (
        <button type="button" class="btn small" disabled={more.isBusy} onClick={load}>
          {appStrings.more}
        </button>
      )}
      {more.result?.isFailure === true ? <Failed>{more.result.text}</Failed> : undefined}
    </>
  );
}

interface NoteProps {
  readonly note: FoundNote;
  readonly reader: Found['reader'];
  readonly host: Host;
  readonly vault: string | undefined;
}

function NoteRow({ note, reader, host, vault }: NoteProps) {
  const { path, lines, more, depth } = note;
  const [isOpen, setOpen] = useState(false);
  const reading = useCall(host, reader);
  const toggle = (): void => {
    setOpen(!isOpen);
    if (!isOpen && (reading.result === undefined || reading.result.isFailure)) {
      void reading.start({ path, ...(vault === undefined ? {} : { vault }), ...unseenByModel });
    }
  };
  const away = depth === 0 ? appStrings.theNote : depth && appStrings.linksAway(depth);
  const facts = [folderOf(path), ...more, ...(away ? [away] : [])].filter((fact) => fact !== '');
  const words = (
    <>
      <Icon name="notes" />
      <span class="grow">
        <b>
          <bdi>{noteName(path)}</bdi>
        </b>
        <small class="app-facts">
          <bdi>{facts.join(' · ')}</bdi>
        </small>
        {lines.length === 0 ? undefined : (
          <span class="app-hit-lines">
            {lines.map((line) => (
              <Line line={line} />
            ))}
          </span>
        )}
      </span>
    </>
  );
  if (!host.callsTools) return <li class="app-row">{words}</li>;
  return (
    <li>
      <button type="button" class="app-row" aria-expanded={isOpen} onClick={toggle}>
        {words}
      </button>
      {isOpen ? (
        <NoteText result={reading.result} reader={reader} host={host} name={noteName(path)} />
      ) : undefined}
    </li>
  );
}

function Line({ line: { line, text } }: { readonly line: FoundLine }) {
  return (
    <span class="app-hit-line" dir="auto">
      {line === undefined ? undefined : <span class="app-hit-number">{line}</span>}
      <Visible text={text} />
    </span>
  );
}

/** Text in which nothing is invisible. */
function Visible({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, at) => (
        <>
          {at === 0 ? '' : '\n'}
          <VisibleText text={line} />
        </>
      ))}
    </>
  );
}

interface TextProps {
  readonly result: ReadResult | undefined;
  readonly reader: Found['reader'];
  readonly host: Host;
  readonly name: string;
}

/** The text of a note as it is written. Web addresses are opened by the host, after a click. */
function NoteText({ result, reader, host, name }: TextProps) {
  if (result === undefined) return <Loading lines={3} />;
  if (result.isFailure) return <Failed>{result.text}</Failed>;
  const whole = noteTextIn(result, reader);
  const text = whole.slice(0, consolePageLimits.viewNoteCharsMax);
  if (text === '') return <p class="app-note">{appStrings.emptyNote}</p>;
  return (
    <>
      <section class="app-note-text" aria-label={name} dir="auto" {...scrolling}>
        {host.opensLinks ? <Linked text={text} host={host} /> : <Visible text={text} />}
      </section>
      {text.length < whole.length ? <p class="app-note">{appStrings.cutNote}</p> : undefined}
    </>
  );
}

const address = /https?:\/\/[^\s<>"'`()[\]{}|\\^]{1,2000}/g;

function Linked({ text, host }: { readonly text: string; readonly host: Host }) {
  const shown: preact.ComponentChild[] = [];
  let done = 0;
  for (const { 0: url, index } of text.matchAll(address)) {
    if (index > done) shown.push(<Visible text={text.slice(done, index)} />);
    shown.push(
      <button
        type="button"
        class="app-link"
        onClick={() => void host.openLink(url).catch(() => undefined)}
      >
        <Visible text={url} />
      </button>,
    );
    done = index + url.length;
  }
  if (done < text.length) shown.push(<Visible text={text.slice(done)} />);
  return <>{shown}</>;
}

startView('vaultdoor-find', FindView);
