import { kindPill } from './client-words.ts';
import {
  connectionField,
  daysField,
  rightsField,
  summary,
  toolsField,
  whereField,
} from './consent-fields.ts';
import type { ConsentTarget, ConsentView } from './consent-view.ts';
import { type Html, html } from './html.ts';
import { errorNote, icon, page, topBar } from './page.ts';

/**
 * The page on which the owner allows or refuses a client. The form posts `word`, `rights`, `where`
 * (`all` or `folders`), `folder` (several; empty ones do not count), `tools` (several), `days`,
 * `grant` (`new` or an id; absent where the client has no connection yet), `passphrase` (for
 * `delete`, may be empty) and `answer` (`allow` or `refuse`).
 */
export function consentPage(view: ConsentView): string {
  const name = view.client.name === '' ? 'An app without a name' : view.client.name;
  const title = `${name} asks to use your notes`;
  const body = html`${topBar()}
<main>
<article class="card">
<header>
<h1>${title}</h1>
${errorNote(view.message)}
${whoAsks(view.client)}
${target(view.target)}
</header>
<form method="post" action="${view.action}">
${firstButton}
<input type="hidden" name="word" value="${view.word}">
${connectionField(view)}
${rightsField(view)}
${whereField(view)}
${toolsField(view)}
${daysField(view)}
<p class="note warn">${icon('warn')}<span>What it reads goes to whoever runs this app. You can disconnect it at any time, but not take back what it has read.</span></p>
${summary(view)}
<footer>
<button class="btn bad" name="answer" value="refuse">Refuse</button>
<button class="btn" name="answer" value="allow">Allow</button>
</footer>
</form>
</article>
</main>`;
  return page({ title, body });
}

// The Enter key in a text field presses the first button of a form. A button that is disabled does
// nothing, so that nobody allows or refuses while typing the name of a folder.
const firstButton = html`<button hidden disabled></button>`;

function whoAsks({ kind, host }: ConsentView['client']): Html {
  const from = host !== undefined && html`<span class="soft">from <b>${host}</b></span>`;
  const more = sentences[kind];
  // Of an app that has registered itself, which has no host, the sentence says what the pill would say.
  const who = kind !== 'registered' && html`<p class="who">${kindPill(kind)}${from}</p>`;
  return html`${who}
${more !== undefined && html`<p class="soft">${more}</p>`}`;
}

const sentences: Readonly<Partial<Record<ConsentView['client']['kind'], string>>> = {
  document: 'This name is not verified: any app can call itself so. Do you know the address?',
  registered: 'This name is not verified: any app can call itself so.',
};

function target(to: ConsentTarget): Html {
  if (to.kind === 'loopback') {
    return html`<div class="to">Your answer goes to <strong>an app on this device</strong>
<p class="soft">Continue only if you have just started this here yourself.</p></div>`;
  }
  if (to.kind === 'app') {
    return html`<div class="to">Your answer goes to <strong>the app that opens ${to.scheme}: links</strong>
<p class="soft">Continue only if you have just started this in that app.</p></div>`;
  }
  return html`<div class="to">Your answer goes to <strong>${to.host}</strong>
<p class="soft">Continue only if you know it and started this yourself.</p></div>`;
}
