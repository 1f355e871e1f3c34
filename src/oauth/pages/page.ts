import { Html, html } from './html.ts';
import { pageStyle } from './style.ts';

/**
 * A whole HTML document. `script` is the address of a script file; `refresh` is an address to which
 * the browser goes at once.
 */
export function page(parts: {
  readonly title: string;
  readonly body: Html;
  readonly script?: string;
  readonly refresh?: string;
}): string {
  const { title, body, script, refresh } = parts;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh !== undefined && html`<meta http-equiv="refresh" content="0;url=${refresh}">`}
<title>${title} · Vaultdoor</title>
<style>${new Html(pageStyle)}</style>
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** The picture of an open door that stands for the program. */
export const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect class="plate" width="32" height="32" rx="8"/><path class="frame" d="M9 25V8.500a1.500 1.500 0 0 1 1.500-1.500H18M6.500 25H14"/><path class="leaf" d="M14 9.600l8-2.400v19.600l-8-2.400z"/><circle class="knob" cx="17" cy="17" r="1.200"/></svg>`;

/** The bar at the top of the larger pages. */
export function topBar(right?: Html): Html {
  return html`<header class="top">${mark}<span>Vaultdoor</span>${right}</header>`;
}

const icons = {
  key: html`<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3"/>`,
  warn: html`<path d="M12 4l9 16H3z"/><path d="M12 10v4M12 17v.010"/>`,
  good: html`<path d="M5 12l5 5L19 7"/>`,
};

/** A small picture beside words; it says nothing that the words do not say. */
export function icon(name: keyof typeof icons): Html {
  return html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">${icons[name]}</svg>`;
}

/** What was wrong with the last try; nothing without a message. It is read out when the page opens. */
export function errorNote(message: string | undefined): Html | undefined {
  if (message === undefined) return undefined;
  return html`<p class="note bad" role="alert">${icon('warn')}<span>${message}</span></p>`;
}
