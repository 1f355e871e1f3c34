import { limits } from '../../base/limits.ts';
import { kindPill } from './client-words.ts';
import { type Html, html } from './html.ts';
import type { OwnerConnection, OwnerPasskey, OwnerView } from './owner-view.ts';
import { errorNote, icon, page, topBar } from './page.ts';
import { passkeyAttributes } from './passkey-form.ts';

/** The owner's page: connections, passkeys, passphrase, and signing out. */
export function ownerPage(view: OwnerView): string {
  const { paths, word } = view;
  const live = view.connections.filter(({ ended }) => ended === undefined);
  const over = view.connections.filter(({ ended }) => ended !== undefined);
  const body = html`${topBar(form(paths.signOut, word, html`<button class="btn">Sign out</button>`))}
<main class="wide">
<h1>Who may come in</h1>
${said(view)}
${paths.console !== undefined && form(paths.console, word, consoleLine(view))}
<section aria-labelledby="apps">
<div class="head"><div><h2 id="apps">Connected apps</h2>
<p>Each was let in by you. One that you disconnect is out at once. To connect an app, give it the address <code>${view.address}</code>: it then leads you to this server, and you decide what it may do.</p></div></div>
${
  live.length === 0
    ? html`<p class="note">No app is connected.</p>`
    : html`<ul class="list">${live.map((one) => connection(one, view))}</ul>`
}
${
  live.length > 1 &&
  html`<details><summary>Disconnect all of them</summary>
${form(paths.revokeAll, word, html`<button class="btn bad">Disconnect all ${live.length} apps</button>`)}</details>`
}
${
  over.length > 0 &&
  html`<details><summary>Ended lately: ${over.length}</summary>
<ul class="list">${over.map((one) => connection(one, view))}</ul></details>`
}
</section>
${passkeySection(view)}
${passphraseSection(view)}
</main>`;
  const hasScript = view.canAddPasskey && view.isFresh;
  return page({
    title: 'Who may come in',
    body,
    ...(hasScript && { script: paths.passkeyScript }),
  });
}

function said({ message, isError }: OwnerView): Html | undefined {
  if (message === undefined || isError === true) return errorNote(message);
  return html`<p class="note good" role="status">${icon('good')}<span>${message}</span></p>`;
}

function consoleLine({ waiting }: OwnerView): Html {
  if (waiting === 0) {
    return html`<p class="inline"><span>See what apps did, take it back, and answer what waits for you.</span> <button class="btn">Open the console</button></p>`;
  }
  const waits = waiting === 1 ? '1 thing waits' : `${waiting} things wait`;
  return html`<p class="inline"><span><b>${waits} in the console for your answer.</b> You also see there what apps did, and can take it back.</span> <button class="btn pri">Open the console <span class="count">${waiting}</span></button></p>`;
}

function form(action: string, word: string, fields: Html): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="word" value="${word}">${fields}</form>`;
}

function connection(one: OwnerConnection, { paths, word }: OwnerView): Html {
  const name = one.client === '' ? 'An app without a name' : one.client;
  const rows: readonly (readonly [string, string])[] = [
    ['Allowed', one.rights],
    ['Where', one.folders],
    ['Tools', one.tools],
    ['Answers go to', one.answersTo],
    ['Connected', one.created],
    ['Last used', one.lastUse],
    ['Ends', one.ends],
  ];
  return html`<li><div><h3>${name} ${kindPill(one.kind)}</h3>
<dl class="facts">${rows.map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>`)}
${one.ended !== undefined && html`<dt>Ended</dt><dd>${one.ended}</dd>`}</dl>
${
  one.ended === undefined &&
  one.isElsewhere &&
  html`<p class="note warn">${icon('warn')}<span>It does not come in now: you let it in when the server had other vaults, or another address. If that is over, disconnect it, and connect the app again.</span></p>`
}
${
  one.ended === undefined &&
  one.pairsNow > 1 &&
  html`<p class="note warn">${icon('warn')}<span>It holds ${one.pairsNow} keys at the same time. That is usual where an app runs several times at once. If it runs only once, someone else may have one: disconnect it, and connect it again.</span></p>`
}</div>
${
  one.ended === undefined &&
  html`<details class="sure"><summary>Disconnect …<span class="vh"> ${name}</span></summary>
<p class="soft">It is out at once. To come back it has to ask, and you decide again.</p>
${form(
  paths.revoke,
  word,
  html`<input type="hidden" name="id" value="${one.id}"><button class="btn bad">Disconnect ${name}</button>`,
)}</details>`
}</li>`;
}

function passkeySection(view: OwnerView): Html {
  return html`<section aria-labelledby="passkeys">
<div class="head"><div><h2 id="passkeys">Passkeys</h2>
<p>Sign in with a fingerprint, your face or a security key. Your passphrase works as before.</p></div></div>
<div class="stack">
${view.passkeys.length > 0 && html`<ul class="list">${view.passkeys.map((one) => passkey(one, view))}</ul>`}
${addPasskey(view)}
</div></section>`;
}

function passkey(one: OwnerPasskey, { paths, word, isFresh }: OwnerView): Html {
  const remove = html`<input type="hidden" name="id" value="${one.id}"><button class="btn bad">Remove<span class="vh"> the passkey ${one.name}</span></button>`;
  return html`<li><div><h3>${one.name}</h3>
<p class="faint">For ${one.host}. Added ${one.created}. Last used: ${one.lastUse}.</p></div>
${isFresh && form(paths.removePasskey, word, remove)}</li>`;
}

function addPasskey(view: OwnerView): Html {
  const { paths, word } = view;
  if (!view.canAddPasskey) {
    return html`<p class="note">Passkeys need an address with a name and https. This one has none.</p>`;
  }
  if (!view.isFresh) return signInAgain(view, 'To add or remove passkeys');
  const attributes = passkeyAttributes({
    kind: 'create',
    options: paths.passkeyOptions,
    answer: paths.passkeyAnswer,
    next: paths.owner,
    word,
  });
  return html`<p class="note" data-without-passkeys>To add a passkey, this page needs JavaScript and a browser of 2025 or later.</p>
<form class="stack" ${attributes}><div class="inline">
<label class="field"><span>Name of a new passkey</span>
<input class="in" name="name" placeholder="My phone" maxlength="${limits.passkeyNameCharsMax}" autocomplete="off" required></label>
<button class="btn">${icon('key')} Add a passkey</button></div>
<p class="note bad" role="alert" hidden></p></form>`;
}

function passphraseSection(view: OwnerView): Html {
  const fields = html`<input hidden autocomplete="username" value="owner" readonly><div class="inline">
<label class="field"><span>New passphrase</span>
<input class="in" type="password" name="passphrase" autocomplete="new-password" minlength="${limits.passphraseCharsMin}" required></label>
<label class="field"><span>The same once more</span>
<input class="in" type="password" name="again" autocomplete="new-password" minlength="${limits.passphraseCharsMin}" required></label>
<button class="btn">Change passphrase</button></div>`;
  return html`<section aria-labelledby="passphrase">
<div class="head"><div><h2 id="passphrase">Passphrase</h2>
<p>At least ${limits.passphraseCharsMin} characters. Changing it signs you out everywhere else; apps stay connected.</p></div></div>
${view.isFresh ? form(view.paths.passphrase, view.word, fields) : signInAgain(view, 'To change your passphrase')}
</section>`;
}

function signInAgain({ paths }: OwnerView, what: string): Html {
  return html`<p class="note"><span>${what}, <a href="${paths.signIn}">sign in once more</a>: you did so a while ago.</span></p>`;
}
