import { limits } from '../../base/limits.ts';
import { html } from './html.ts';
import { errorNote, mark, page } from './page.ts';

/** A code has 24 characters with its dashes; nobody types many more. */
const codeCharsMax = 60;

/** The page on which an owner is set up. The form posts `code`, `passphrase` and `again`. */
export function setUpPage(view: {
  readonly action: string;
  /** What was wrong with the last try, and the code that was typed: it is long to type again. */
  readonly message?: string;
  readonly code?: string;
}): string {
  const body = html`<main class="gate">${mark}
<h1>Make this server yours</h1>
<p class="soft">Choose the passphrase with which you will sign in. Whoever has it decides which apps may use your notes.</p>
${errorNote(view.message)}
<form method="post" action="${view.action}">
<label class="field"><span>Set-up code</span>
<input class="in code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="code-help" value="${(view.code ?? '').slice(0, codeCharsMax)}">
<small id="code-help">The server printed it when it started. <code>vaultdoor owner code</code> prints a new one.</small></label>
<input hidden autocomplete="username" value="owner" readonly>
<label class="field"><span>New passphrase</span>
<input class="in" type="password" name="passphrase" autocomplete="new-password" minlength="${limits.passphraseCharsMin}" required aria-describedby="new-help">
<small id="new-help">At least ${limits.passphraseCharsMin} characters. A few words that do not belong together are easy to keep in mind.</small></label>
<label class="field"><span>The same once more</span>
<input class="in" type="password" name="again" autocomplete="new-password" minlength="${limits.passphraseCharsMin}" required></label>
<button class="btn pri">Set up</button>
</form>
</main>`;
  return page({ title: 'Set up', body });
}
