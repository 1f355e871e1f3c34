// Every argument of every tool that notes are read and written with. A test fails on one that is not
// here, so that whoever adds an argument says whether it can name a file: such arguments are tried
// with paths that must be refused.

/** What names a file or a folder, and something for it that is there. */
export const pathArguments: Readonly<Record<string, string>> = {
  name: 'A',
  names: 'A',
  path: 'A.md',
  old_name: 'A',
  new_name: 'Other',
  to: 'Sub',
  folder: 'Sub',
  template: 'T',
  base: 'A',
  file: 'Books',
  this: 'A',
  note: 'A',
};

/** What names none, and something for it where a tool asks for it. */
export const otherArguments: Readonly<Record<string, unknown>> = {
  query: 'moss',
  section: 'One',
  content: 'text',
  text: 'text',
  after: 'moss',
  old_text: 'moss',
  new_text: 'text',
  key: 'key',
  property: 'key',
  value: 'value',
  properties: { key: 'value' },
  version: 1,
  line: 4,
  from: 1,
  id: 'app:reload',
  what: 'folders',
  // A GIF, as far as its first bytes tell.
  data: 'R0lGODlhAQABAAAAACw=',
};

/** What names none, and is needed by no call here. */
export const leftOut: readonly string[] = [
  ...['mode', 'limit', 'offset', 'skip', 'sort', 'direction', 'frontmatter', 'new_tags', 'before'],
  ...[
    'replace_all',
    'dry_run',
    'since',
    'session',
    'overwrite',
    'permanent',
    'context',
    'date',
    'period',
    'choose',
    'token',
    'diff',
  ],
  ...['type', 'tag', 'status', 'title', 'extension', 'search', 'url', 'subpath', 'filter'],
  ...['columns', 'group', 'view', 'format', 'images', 'replace'],
  ...['due', 'scheduled', 'start', 'done', 'created', 'cancelled'],
];
