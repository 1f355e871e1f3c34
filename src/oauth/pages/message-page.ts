import { html } from './html.ts';
import { page } from './page.ts';

/** A page that says one thing, such as why a request was refused. */
export function messagePage(view: {
  readonly title: string;
  readonly text: string;
  /** More paragraphs: what to do now. */
  readonly more?: readonly string[];
}): string {
  const body = html`<main><h1>${view.title}</h1><p>${view.text}</p>${view.more?.map((text) => html`<p>${text}</p>`)}</main>`;
  return page({ title: view.title, body });
}
