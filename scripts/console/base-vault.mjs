import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const alert = 'alert(document.domain)';
const markup = `<img src=x onerror=${alert}>`;

const trips = `filters: file.inFolder("Trips")
formulas:
  nights: (until - from).days
  wrong: nights.nosuch()
  ago: date("2026-11-18") - from
properties:
  formula.nights:
    displayName: Nights
  note.price:
    displayName: Price in €
views:
  - type: table
    name: By country
    order: [file.name, from, formula.nights, price, booked, with, tags]
    sort: [{ property: from, direction: DESC }]
    groupBy: { property: country, direction: ASC }
    summaries: { note.price: Sum, formula.nights: Average }
  - type: cards
    name: Cards
    order: [file.name, country, price, from]
    image: note.picture
  - type: list
    name: List
    order: [file.name, country, price]
    separator: "·"
  - type: list
    name: Steps
    markers: number
    indentProperties: true
    order: [file.name, country, from]
  - type: map
    name: On a map
    order: [file.name, formula.ago, formula.wrong]
  - type: table
    name: Mine
    filters: this.file.hasLink(file)
    order: [file.name, country]
`;

const trip = (values, text = '') => `---\n${values}\n---\n${text}\n`;

/** A base whose names and values try everything. */
const hostile = `filters: file.inFolder("Odd")
formulas:
  html: html("${markup}<script>${alert}</script>")
  picture: image("http://evil.example/pixel.png")
  local: image("picture.svg")
  data: image("data:image/svg+xml,<svg onload=${alert}>")
  script: link("javascript:${alert}", "press me")
  turned: '"a\u202eb"'
  icon: icon("${markup}")
  deep: '[[[[[[[[1]]]]]]]]'
  long: '"x".repeat(100000)'
  wide: '[${'1,'.repeat(500)}1]'
  object: '{"__proto__": "${markup}", "$html": "<b>"}'
  own: formula.own + 1
properties:
  formula.html: { displayName: '${markup}' }
views:
  - type: cards
    name: '"><script>${alert}</script>'
    image: formula.picture
    order: [formula.script, formula.html, formula.picture, formula.icon, formula.turned]
  - type: table
    name: Everything
    order: [file.name, formula.html, formula.picture, formula.local, formula.data, formula.script, formula.turned, formula.icon, formula.deep, formula.long, formula.wide, formula.object, formula.own]
    groupBy: formula.html
  - type: 'constructor" onload=alert(1)'
    name: __proto__
    order: [${Array.from({ length: 200 }, (_, at) => `p${at}`).join(', ')}]
`;

/** Puts bases into a vault, beside what is there. */
export function makeBases(vault) {
  const write = (path, text) => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  write('Bases/Trips.base', trips);
  write(
    'Trips/Lisbon.md',
    trip(
      'country: Portugal\nfrom: 2026-03-02\nuntil: 2026-03-09\nprice: 840.5\nbooked: true\nwith: ["[[Priya Raman]]", "[[Nobody]]"]\ntags: [sea, train/night]\npicture: "[[River gauge.png]]"',
    ),
  );
  write(
    'Trips/Porto.md',
    trip(
      'country: Portugal\nfrom: 2026-09-20\nuntil: 2026-09-24\nprice: 12345\nbooked: false\npicture: "#4a43c0"',
    ),
  );
  write(
    'Trips/Kyoto.md',
    trip('country: Japan\nfrom: 2025-11-01\nuntil: 2025-11-15\nprice: 2100\npicture: crumb.png'),
  );
  write('Trips/Nowhere.md', trip('price: 1'));
  write(
    'Bases/Journal.md',
    `# Journal\n\nTo [[Kyoto]] and [[Lisbon]].\n\n![[Trips.base#Mine]]\n\n> [!note] Inside\n> \`\`\`base\n> filters: file.inFolder("Trips") && !this.file.hasLink(file)\n> views:\n>   - type: list\n>     name: Others\n> \`\`\`\n\n\`\`\`base\nviews: 3\n\`\`\`\n\n![[Trips.base#Nope]]\n\n![[Trips.base]]\n`,
  );
  write('Bases/Outer.md', 'Before\n\n![[Journal]]\n');
  write('Bases/Hostile.base', hostile);
  write(
    'Odd/picture.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${alert}"/>`,
  );
  write('Odd/One.md', trip('p1: "<b>x</b>"'));
  write(
    'Bases/Many.base',
    'filters: file.inFolder("Many")\nviews:\n  - type: table\n    name: All\n    order: [file.name, n]\n    sort: [{ property: n, direction: DESC }]\n',
  );
  for (let at = 0; at < 160; at++) write(`Many/${at}.md`, trip(`n: ${at}`));
  write('Bases/Crowd.md', '![[Many.base]]\n\n'.repeat(200));
}
