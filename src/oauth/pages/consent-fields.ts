import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import {
  type ConsentChoice,
  type ConsentDays,
  type ConsentView,
  consentDays,
} from './consent-view.ts';
import { type Html, html } from './html.ts';
import { icon } from './page.ts';

/** Whether a new connection is made or an old one changed; nothing where there is no old one. */
export function connectionField(view: ConsentView): Html | undefined {
  if (view.existing.length === 0) return undefined;
  const chosen = view.chosen?.grant ?? view.changeDefault ?? 'new';
  return html`<fieldset><legend>It is connected already</legend><div class="opts">
${view.existing.map(({ id, created, lastUse, rights }) =>
  radio('grant', id, {
    isChosen: chosen === id,
    title: `Change the connection of ${created}`,
    text: `It ${rights}. Last used: ${lastUse}. What you choose below takes the place of this.`,
  }),
)}
${radio('grant', 'new', {
  isChosen: chosen === 'new',
  title: 'Add another connection',
  text:
    view.existing.length === 1
      ? 'The one it has stays as it is.'
      : 'Those it has stay as they are.',
})}
</div></fieldset>`;
}

const choices: Readonly<Record<ConsentChoice, { readonly title: string; readonly text: string }>> =
  {
    read: { title: 'Read your notes', text: 'It changes nothing.' },
    propose: {
      title: 'Read, and propose changes',
      text: 'You accept or refuse each change.',
    },
    change: {
      title: 'Read and change notes',
      text: 'It cannot delete. You can undo its changes.',
    },
    delete: {
      title: 'Also delete notes',
      text: 'And undo changes, also yours.',
    },
  };

/** What the client may do. */
export function rightsField(view: ConsentView): Html {
  const chosen = view.chosen?.rights ?? view.preselected;
  return html`<fieldset><legend>What may it do?</legend><div class="opts">
${view.choices.map((choice) => [
  radio('rights', choice, {
    isChosen: choice === chosen,
    ...choices[choice],
    ...(choice === view.asked && { mark: 'it asked for this' }),
  }),
  choice === 'delete' && view.needsFresh && passphraseAgain(view),
])}
</div></fieldset>`;
}

function passphraseAgain(view: ConsentView): Html {
  return html`<div class="under again">${wrongNote(view, 'passphrase')}<input hidden autocomplete="username" value="owner" readonly>
<label class="field"><span>Your passphrase, once more</span>
<input class="in" type="password" name="passphrase" autocomplete="current-password"${wrongField(view, 'passphrase')}>
<small>Needed only to let it delete, because you signed in a while ago.</small></label></div>`;
}

/** What is wrong, once more at the field: the top of the page is far away on a phone. */
function wrongNote(view: ConsentView, at: ConsentView['wrongAt']): Html | undefined {
  if (view.wrongAt !== at || view.message === undefined) return undefined;
  // Of folders, the sentence is true only until one is ticked; the style sheet hides it then.
  const isMissing = at === 'folders' && view.chosen?.folders.length === 0;
  return html`<p class="note bad${isMissing && ' missing'}" id="wrong">${icon('warn')}<span>${view.message}</span></p>`;
}

/** The attributes of the field that is to be mended. It has the focus, so the page opens there. */
function wrongField(view: ConsentView, at: ConsentView['wrongAt']): Html | undefined {
  if (view.wrongAt !== at) return undefined;
  return html` autofocus aria-invalid="true" aria-describedby="wrong"`;
}

/** The whole vault, or some folders. */
export function whereField(view: ConsentView): Html {
  const [first = '', ...others] = view.vaults;
  const where = view.chosen?.where ?? 'all';
  const typed = view.chosen?.folders ?? [];
  const shown = view.folders.slice(0, limits.consentFoldersMax);
  const written = typed.filter((folder) => !shown.includes(folder));
  const fields = Math.max(3, written.length + 1);
  // A name that was typed is what is wrong; otherwise one is missing, and the first box is a start.
  const boxIsWrong = written.length === 0 && shown.length > 0;
  return html`<fieldset><legend>Where?</legend><div class="opts two">
${radio('where', 'all', {
  isChosen: where === 'all',
  ...(others.length === 0
    ? { title: `The whole vault “${first}”` }
    : { title: `All ${view.vaults.length} vaults`, text: view.vaults.join(', ') }),
})}
${radio('where', 'folders', {
  isChosen: where === 'folders',
  title: 'Only some folders',
  text: 'It sees nothing else, and cannot rename or move a note to which notes elsewhere link.',
})}
</div><div class="under folders">
${wrongNote(view, 'folders')}
${
  shown.length > 0 &&
  html`<div class="row">${shown.map(
    (folder, at) =>
      html`<label class="opt"><input type="checkbox" name="folder" value="${folder}"${typed.includes(folder) && ' checked'}${at === 0 && boxIsWrong && wrongField(view, 'folders')} data-at="${at}"><span>${folder}</span></label>`,
  )}</div>`
}
<p>${shown.length > 0 ? 'Others' : 'Folders'}, such as <code>Projects/Garden</code>:</p>
${Array.from(
  { length: fields },
  (_, at) =>
    html`<input class="in" name="folder" list="folders" placeholder=" " value="${written[at] ?? ''}" aria-label="Folder ${at + 1}" autocomplete="off" autocapitalize="off" spellcheck="false"${at === 0 && !boxIsWrong && wrongField(view, 'folders')}>`,
)}
<datalist id="folders">${view.folders.map((folder) => html`<option value="${folder}"></option>`)}</datalist>
</div></fieldset>`;
}

/** The toolsets in the words of the consent page. */
export const toolsets: Readonly<
  Record<ServedToolset, { readonly title: string; readonly text: string }>
> = {
  notes: {
    title: 'Tools for every day',
    text: 'Find, read and write notes, daily notes, tasks, tags. This is enough for most apps.',
  },
  obsidian: {
    title: 'Tools that follow the Obsidian app',
    text: 'Also bookmarks, templates, properties and versions, named as in the app.',
  },
  agent: {
    title: 'Tools for automatic work',
    text: 'Structured answers, the graph of links, syncing, records of decisions.',
  },
};

/** Which tools the client sees; folded away while it is only those for every day. */
export function toolsField(view: ConsentView): Html {
  const chosen = view.chosen?.tools ?? ['notes'];
  const boxes = servedToolsets.map(
    (name) =>
      html`<label class="opt"><input type="checkbox" name="tools" value="${name}"${chosen.includes(name) && ' checked'}><span><b>${toolsets[name].title}</b><small>${toolsets[name].text}</small></span></label>`,
  );
  const isOpen = chosen.some((name) => name !== 'notes');
  return html`<fieldset><legend class="vh">With which tools?</legend>
<details${isOpen && ' open'}><summary>Tools: those for every day</summary><div class="opts">${boxes}</div></details></fieldset>`;
}

const spans: Readonly<Record<ConsentDays, string>> = {
  '1': '1 day',
  '30': '30 days',
  '90': '90 days',
  '365': '1 year',
  never: 'No end date',
};

/** For how long the connection holds. */
export function daysField(view: ConsentView): Html {
  const chosen = view.chosen?.days ?? '90';
  return html`<fieldset><legend>For how long?</legend><div class="row">
${consentDays.map((days) => radio('days', days, { isChosen: days === chosen, title: spans[days] }))}
</div><p class="soft ends">After that, you have to allow it again.</p></fieldset>`;
}

/**
 * What is chosen, in one line, above the buttons. All choices are in it; the style sheet hides those that
 * are not chosen, and all of it in a browser that does not know `:has()`.
 */
export function summary(view: ConsentView): Html {
  const rights = view.choices.map(
    (choice) => html`<b class="says-${choice}">${summaries[choice]}</b>`,
  );
  const whole = view.vaults.length === 1 ? 'the whole vault' : `all ${view.vaults.length} vaults`;
  const ends = consentDays.map((days) => {
    const until = days === 'never' ? 'until you disconnect it' : `until ${view.lastDays[days]}`;
    return html`<span class="says-${days}">, ${until}</span>`;
  });
  const shown = view.folders.slice(0, limits.consentFoldersMax);
  const some = html`<span class="says-folders"> in${shown.map((folder, at) => html`<span class="says-folder-${at}"> “${folder}”</span>`)}<span class="says-typed"> the folders that you have typed</span><span class="says-more"> and those that you have typed</span><span class="says-none"> no folder yet</span></span>`;
  return html`<p class="says">${rights}<span class="says-all"> in ${whole}</span>${some}${ends}.</p>`;
}

const summaries: Readonly<Record<ConsentChoice, string>> = {
  read: 'It may read notes',
  propose: 'It may read notes and propose changes',
  change: 'It may read and change notes',
  delete: 'It may read, change and delete notes',
};

function radio(
  name: string,
  value: string,
  shown: {
    readonly isChosen: boolean;
    readonly title: string;
    readonly text?: string;
    readonly mark?: string;
  },
): Html {
  return html`<label class="opt"><input type="radio" name="${name}" value="${value}"${shown.isChosen && ' checked'}><span><b>${shown.title}</b>${shown.mark !== undefined && html` <span class="pill">${shown.mark}</span>`}${shown.text !== undefined && html`<small>${shown.text}</small>`}</span></label>`;
}
