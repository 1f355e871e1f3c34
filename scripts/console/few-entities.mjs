// Takes the place of the package `entities` in the console's page: its table of all 2,231 names of
// characters is larger than the rest of markdown-it. These are the names that notes use; another one
// stays as it is written.
const characters = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  shy: '\u00ad',
  zwj: '\u200d',
  zwnj: '\u200c',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  frac12: '½',
  sect: '§',
  para: '¶',
  euro: '€',
  pound: '£',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
};

/** Decodes one character reference such as `&amp;`, as markdown-it asks; any other text stays. */
export function decodeHTMLStrict(text) {
  const name = /^&([a-z0-9]+);$/.exec(text)?.[1];
  return name !== undefined && Object.hasOwn(characters, name) ? characters[name] : text;
}
