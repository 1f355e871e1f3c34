import { html } from './html.ts';
import { page } from './page.ts';

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
    /** Sent with both requests as `word`. */
    readonly word?: string;
  };
}): string {
  const body = html`<main><h1>Sign in</h1><p>${view.message}</p><form method="post" action="${view.action}"><label>Passphrase <input type="password" name="passphrase"></label><button>Sign in</button></form></main>`;
  return page({ title: 'Sign in', body });
}
