import { html } from './html.ts';
import { mark, page } from './page.ts';

/** What anybody sees while the server has no owner: how to set one up. */
export function noOwnerPage(view: {
  /** The address of the set-up page. */
  readonly setUp: string;
}): string {
  const body = html`<main class="gate">${mark}
<h1>This server has no owner yet</h1>
<p class="soft">Until it has one, no app can sign in. If the server is yours, there are two ways:</p>
<ol class="steps">
<li><b>In this browser</b>, with the set-up code that the server printed when it started. <code>vaultdoor owner code</code> prints a new one.</li>
<li><b>On the machine</b> that runs Vaultdoor: <code>vaultdoor owner set</code> asks for a passphrase.</li>
</ol>
<a class="btn pri" href="${view.setUp}">I have the code</a>
<p class="faint"><small>Then connect your app once more.</small></p>
</main>`;
  return page({ title: 'No owner yet', body });
}
