import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const alert = 'alert(document.domain)';
const markup = `<img src=x onerror=${alert}>`;

/** Names that would run, deceive or overflow on a careless page; paths that Vaultdoor serves. */
export const hostileNames = [
  `${markup}/<script>${alert}<∕script> \u05e9\u05dc\u05d5\u05dd \u{1f4a5}.md`,
  '"onmouseover=alert(1) x=".md',
  "'-alert(1)-'.md",
  `javascript${'\u2024'}alert(1).md`,
  '\u202egnp.exe\u202c \u2066x\u2069.md',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u0301\u0301\u0301\u0301.md',
  `${'Very long name '.repeat(12).trim()}.md`,
  `${'n'.repeat(200)}.md`,
  '{{constructor.constructor("alert(1)")()}}.md',
  '%2e%2e%2f%3Cscript%3E.md',
];

/** Names that Vaultdoor does not serve, but that are on the disk. */
const refusedNames = ['bell\u0007.md', 'line\nbreak.md', 'escape\u001b[2J.md'];

/** Every trick in the text of a note. */
export const hostileText = `---
title: "<script>${alert}</script>"
aliases: ["${markup.replaceAll('"', '')}", "\\u202egnp.exe"]
tags: [x, "<b>bold</b>"]
cssclasses: ["a\\" onload=alert(1)"]
cover: "javascript:${alert}"
banner: "http://evil.example/banner.png"
---
# <script>${alert}</script> ${markup}
<script>${alert}</script>
<svg onload=${alert}><script>${alert}</script></svg>
<iframe src="javascript:${alert}"></iframe><object data="http://evil.example/o"></object>
<style>@import "http://evil.example/s.css"; body { display: none }</style>
<base href="http://evil.example/"><meta http-equiv="refresh" content="0;url=http://evil.example/">
<form action="http://evil.example/"><input autofocus onfocus=${alert}></form>
[a](javascript:${alert}) [b](JaVaScRiPt:${alert}) [c](java&#x09;script:${alert}) [d]( javascript:alert(1))
[e](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==) [f](vbscript:x) [g](file:///etc/passwd)
[h](//evil.example/x) [i](http://good.example\u2024evil.example) [j](<javascript:alert(1)>)
[k]: javascript:${alert}
[k] <javascript:${alert}> https://evil.example/?q="><script>${alert}</script>
![](http://evil.example/pixel.png) ![x](//evil.example/p.png "t\\" onerror=${alert}") ![[http://evil.example/x.png]]
![[picture.svg]] ![[Hostile]] ![[Hostile#^self]] [[javascript:${alert}]] [[x|${markup}]]
> [!<b>note</b>]+ ${markup}
> ![](http://evil.example/in-callout.png)

| ${markup} | [x](javascript:${alert}) |
|---|---|
| \u202e reversed \u200b zero \u2066 isolate | \`<script>\` |

- [${'<'}] ${markup}
- [ ] task [x](javascript:${alert})

\`\`\`html
<script>${alert}</script>
\`\`\`
\`\`\`mermaid
graph TD; A["<img src=x onerror=${alert}>"] --> B; click A href "javascript:${alert}"
\`\`\`
\`\`\`dataviewjs
${alert}
\`\`\`
$$\\href{javascript:${alert}}{x}$$ $\\includegraphics{http://evil.example/x.png}$
==<u onclick=${alert}>x</u>== %%<script>${alert}</script>%% #<b>tag</b> [^1] ^self

[^1]: ${markup}
`;

const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" onload="${alert}"><script>${alert}</script><image href="http://evil.example/i.png" width="9" height="9"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>${alert}</script></body></foreignObject></svg>`;
const canvas = {
  nodes: [
    { id: 'a', type: 'text', text: markup, x: 0, y: 0, width: 100, height: 100, color: 'url(x)' },
    { id: 'b', type: 'link', url: `javascript:${alert}`, x: 9e9, y: 0, width: 1, height: 1 },
    { id: 'c', type: 'file', file: 'http://evil.example/x.png', x: 0, y: 0, width: 1, height: 1 },
  ],
  edges: [{ id: 'e', fromNode: 'a', toNode: 'b', label: `<script>${alert}</script>` }],
};

/** Puts hostile files into a vault, beside those that are there. */
export function makeHostile(vault) {
  const write = (path, text) => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  write('Hostile.md', hostileText);
  for (const name of hostileNames)
    write(name, `${hostileText}\n[[Hostile]] [[nowhere ${markup}]]\n`);
  for (const name of refusedNames) write(name, 'x\n');
  write('picture.svg', svg);
  write('not a picture.png', svg);
  write('Drawing.canvas', JSON.stringify(canvas));
  write('Table.base', `views:\n  - name: "${markup.replaceAll('"', '')}"\n`);
  write('long.md', `# Long\n${'a'.repeat(1_000_000)}\n`);
  write('long-words.md', `# Long\n${'a <b> '.repeat(170_000)}\n`);
  write('loop.md', '![[loop]]\n'.repeat(10_000));
  write('Hostile.sync-conflict-20260101-000000-AAAAAAA.md', `${hostileText}more\n`);
}
