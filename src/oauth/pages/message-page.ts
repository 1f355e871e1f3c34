import { html } from './html.ts';
import { mark, page } from './page.ts';

/** A page that says one thing, such as why a request was refused. */
export function messagePage(view: {
  readonly title: string;
  readonly text: string;
  /** More paragraphs: what to do now. */
  readonly more?: readonly string[];
}): string {
  const body = html`<main class="gate">${mark}
<h1>${view.title}</h1>
<p>${view.text}</p>
${view.more?.map((text) => html`<p class="faint">${text}</p>`)}
</main>`;
  return page({ title: view.title, body });
}
