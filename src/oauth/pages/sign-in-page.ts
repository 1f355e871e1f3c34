import { html } from './html.ts';
import { errorNote, icon, mark, page } from './page.ts';
import { passkeyAttributes } from './passkey-form.ts';

/** The page on which the owner signs in. The form posts `passphrase`. */
export function signInPage(view: {
  /** Where the form is posted to. */
  readonly action: string;
  /** What was wrong with the last try. */
  readonly message?: string;
  /** The name of the program that waits for an answer. */
  readonly for?: string;
  /** Present where the owner has a passkey for this host. `passkeyScript` says what travels. */
  readonly passkeys?: {
    /** The address of the script file. */
    readonly script: string;
    readonly options: string;
    readonly answer: string;
    /** Where the browser goes when the passkey was accepted. */
    readonly next: string;
  };
}): string {
  const { action, message, passkeys } = view;
  const body = html`<main class="gate">${mark}
<h1>Sign in to Vaultdoor</h1>
${waiting(view.for)}
${errorNote(message)}
${
  passkeys &&
  html`<form ${passkeyAttributes({ kind: 'get', ...passkeys })}>
<button class="btn pri">${icon('key')} Use a passkey</button>
<p class="note bad" role="alert" hidden></p>
<div class="or">or</div>
</form>`
}
<form method="post" action="${action}">
<input hidden autocomplete="username" value="owner" readonly>
<label class="field"><span>Your passphrase</span>
<input class="in" type="password" name="passphrase" autocomplete="current-password" required></label>
<button class="btn${passkeys === undefined && ' pri'}">Sign in</button>
</form>
<p class="faint"><small>Forgotten? On the machine that runs Vaultdoor, <code>vaultdoor owner set</code> sets a new passphrase.</small></p>
</main>`;
  return page({ title: 'Sign in', body, ...(passkeys && { script: passkeys.script }) });
}

function waiting(name: string | undefined) {
  if (name === undefined) return html`<p class="soft">This is for the owner of the notes.</p>`;
  const asks = name === '' ? 'An app' : `“${name}”`;
  return html`<p class="soft">${asks} asks to use your notes. Nothing is allowed yet: you decide on the next page.</p>`;
}
