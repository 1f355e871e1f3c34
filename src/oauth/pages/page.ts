import { Html, html } from './html.ts';
import { pageStyle } from './style.ts';

/** A whole HTML document. `script` is the address of a script file; `refresh` is where to go on to at once. */
export function page(parts: {
  readonly title: string;
  readonly body: Html;
  readonly script?: string;
  readonly refresh?: string;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${parts.refresh !== undefined && html`<meta http-equiv="refresh" content="0;url=${parts.refresh}">`}
<title>${parts.title} · Vaultdoor</title>
<style>${new Html(pageStyle)}</style>
${parts.script !== undefined && html`<script src="${parts.script}" defer></script>`}
</head>
<body>${parts.body}</body>
</html>
`.text;
}
