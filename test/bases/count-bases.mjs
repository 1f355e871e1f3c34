import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

// Counts the rows of the real bases of the shared vaults in another way than Vaultdoor does, and with
// nothing of it: its own reading of YAML, its own links and tags, and a function for each form of
// filter that these bases have. A form that is not here is an error, so nothing is guessed.
//
// node test/bases/count-bases.mjs <vault>   prints every view with its rows, and every embedded one.

/** The day of the sheet about Bases. */
const now = Date.UTC(2025, 5, 15, 12);

/**
 * The little of YAML that these files have: maps and lists by indentation, texts in quotes, texts of
 * several lines, `[]`, and JSON.
 */
function readYaml(text) {
  if (text.startsWith('{')) return JSON.parse(text);
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
    .map((line) => ({ depth: line.search(/\S/), text: line.trim() }));
  let at = 0;
  const scalar = (raw) => {
    const value = raw.trim();
    if (value === '' || value === '~' || value === 'null') return null;
    if (/^".*"$/.test(value)) return JSON.parse(value);
    if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
    if (/^\[.*\]$/.test(value) && !value.startsWith('[[')) {
      const inner = value.slice(1, -1).trim();
      return inner === '' ? [] : inner.split(',').map(scalar);
    }
    if (/^[[{]/.test(value)) return { unread: value };
    if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
    return value === 'true' ? true : value === 'false' ? false : value;
  };
  const key = /^("[^"]*"|'[^']*'|[^:"'\s][^:]*?):(?:\s+(.*))?$/;
  const block = (depth) => {
    const isList = lines[at].text.startsWith('- ') || lines[at].text === '-';
    const found = isList ? [] : {};
    while (at < lines.length && lines[at].depth === depth) {
      const { text: line } = lines[at];
      if (isList) {
        if (!line.startsWith('-')) break;
        const rest = line.slice(1).trim();
        if (key.test(rest) && !/^["'!]/.test(rest)) {
          lines[at] = { depth: depth + 2, text: rest };
          found.push(block(depth + 2));
        } else {
          found.push(scalar(rest));
          at++;
        }
        continue;
      }
      const parts = key.exec(line);
      if (parts === null) throw new Error(`no YAML that is known here: ${line}`);
      at++;
      const name = scalar(parts[1]);
      if (parts[2] === '|') {
        const texts = [];
        while (lines[at]?.depth > depth) texts.push(lines[at++].text);
        found[name] = texts.join('\n');
        continue;
      }
      const next = lines[at];
      const isBelow =
        next !== undefined &&
        (next.depth > depth || (next.depth === depth && next.text.startsWith('-')));
      found[name] = (parts[2] ?? '') === '' && isBelow ? block(next.depth) : scalar(parts[2] ?? '');
    }
    return found;
  };
  return lines.length === 0 ? {} : block(lines[0].depth);
}

function readVault(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
  const files = paths.map((path) => readFile(folder, path));
  const find = (target) => {
    const asked = target
      .replace(/[#|].*$/s, '')
      .trim()
      .toLowerCase();
    const fits = (path) =>
      [asked, `${asked}.md`].some((name) => path === name || path.endsWith(`/${name}`));
    return files
      .filter(({ path }) => fits(path.toLowerCase()))
      .sort((a, b) => a.path.length - b.path.length)[0];
  };
  for (const file of files) {
    file.targets = file.links.map((link) => ({ ...link, file: find(link.target) }));
  }
  return { files, find };
}

function readFile(folder, path) {
  const ext = extname(path).slice(1);
  const name = ext === 'md' ? basename(path, '.md') : basename(path);
  const text = ext === 'md' ? readFileSync(join(folder, path), 'utf8') : '';
  const [whole = '', yaml = ''] = /^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text) ?? [];
  const body = text
    .slice(whole.length)
    .replace(/^(```|~~~).*?^\1/gms, '')
    .replace(/`[^`\n]*`/g, '');
  let note = {};
  try {
    note = readYaml(yaml);
  } catch {} // Broken properties are none.
  const links = Array.from(body.matchAll(/(!?)\[\[([^\]]+)\]\]/g), (match) => ({
    isEmbed: match[1] === '!',
    target: match[2],
  }));
  for (const value of Object.values(note).flat()) {
    const target = linkIn(value);
    if (target !== undefined) links.push({ isEmbed: false, target });
  }
  const tags = [
    ...(Array.isArray(note.tags) ? note.tags : [note.tags]),
    ...(body.match(
      /(?<=^|\s)#[\p{L}\p{N}\p{Emoji}_/-]*[^\s\d#.,;:!?()[\]"'][\p{L}\p{N}\p{Emoji}_/-]*/gmu,
    ) ?? []),
  ];
  return { path, ext, name, note, links, tags: tags.filter((tag) => typeof tag === 'string') };
}

/** The target of a value that is one link. */
function linkIn(value) {
  return typeof value === 'string' ? /^\[\[([^\]]+)\]\]$/.exec(value)?.[1] : undefined;
}

const isEmpty = (value) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
const listOf = (value) =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
const has = (text, part) => text.toLowerCase().includes(part.toLowerCase());
const quoted = (text) => Array.from(text.matchAll(/"([^"]*)"/g), (match) => match[1]);
const tagged = (tags, wanted) =>
  tags.some((tag) =>
    `${tag.replace(/^#/, '')}/`.toLowerCase().startsWith(`${wanted}/`.toLowerCase()),
  );

/** Each form of filter, and when a file passes it. `self` is the file that `this` stands for. */
const forms = [
  [
    /^(?:note\.)?(\w+)\.contains\(link\("([^"]+)"\)\)$/,
    ({ file, find }, [, name, target]) => {
      const value = file.note[name];
      if (Array.isArray(value)) return holds(find, value, find(target), target);
      return typeof value === 'string' && has(linkIn(value) ?? value, target);
    },
  ],
  [
    /^list\((?:note\.)?(\w+)\)\.contains\(link\("([^"]+)"\)\)$/,
    ({ file, find }, [, name, target]) =>
      holds(find, listOf(file.note[name]), find(target), target),
  ],
  [
    /^list\((\w+)\)\.contains\(this\)$/,
    ({ file, self, find }, [, name]) => holds(find, listOf(file.note[name]), self),
  ],
  [
    /^list\((\w+)\)\.containsAny\(this\.(\w+)\)$/,
    ({ file, self, find }, [, name, other]) =>
      listOf(self.note[other]).some((value) =>
        holds(find, listOf(file.note[name]), find(linkIn(value) ?? ''), linkIn(value) ?? value),
      ),
  ],
  [
    /^file\.(name|path|ext)\.contains(?:Any)?\(((?:"[^"]*"(?:, ?)?)+)\)$/,
    ({ file }, [, field, parts]) => quoted(parts).some((part) => has(file[field], part)),
  ],
  [/^file\.name\.contains\(this\.file\.name\)$/, ({ file, self }) => has(file.name, self.name)],
  [
    /^(\w+)\.toString\(\)\.contains\(this\.file\.name\)$/,
    ({ file, self }, [, name]) =>
      typeof file.note[name] === 'string' && has(file.note[name], self.name),
  ],
  [
    /^file\.(name|path) != this\.file\.\1$/,
    ({ file, self }, [, field]) => file[field] !== self[field],
  ],
  [
    /^(?:file\.hasLink\(this\)|file\.links\.contains\(this\.file\))$/,
    ({ file, self }) => file.targets.some((link) => link.file === self),
  ],
  [
    /^this\.file\.hasLink\(file\)$/,
    ({ file, self }) => self.targets.some((link) => link.file === file),
  ],
  [/^file\.tags\.contains\("([^"]+)"\)$/, ({ file }, [, tag]) => tagged(file.tags, tag)],
  [
    /^tags\.contains(?:Any)?\(((?:"[^"]*"(?:, ?)?)+)\)$/,
    ({ file }, [, wanted]) =>
      quoted(wanted).some((tag) =>
        tagged(
          listOf(file.note.tags).filter((each) => typeof each === 'string'),
          tag,
        ),
      ),
  ],
  [/^(\w+)\.isEmpty\(\)$/, ({ file }, [, name]) => isEmpty(file.note[name])],
  [/^not\(empty\(note\.(\w+)\)\)$/, ({ file }, [, name]) => !isEmpty(file.note[name])],
  [
    /^formula\.Embeds\.isEmpty\(\)$/,
    ({ file }) => {
      const first = file.links.find(({ isEmbed }) => isEmbed);
      return !['jpg', 'gif', 'webp', 'jpeg', 'avif'].some((part) => has(first?.target ?? '', part));
    },
  ],
  [
    /^formula\.links\.isEmpty\(\)$/,
    ({ file, files }) => !files.some(({ targets }) => targets.some((link) => link.file === file)),
  ],
  [
    /^formula\.LinksOverlap > 2$/,
    ({ file, self }) => {
      const name = (link) => link.file?.path ?? link.target.replace(/[|].*$/s, '');
      const own = new Set(file.targets.map(name));
      return new Set(self.targets.map(name).filter((each) => own.has(each))).size > 2;
    },
  ],
  [
    /^(?:note\.)?(\w+) > (\d+)$/,
    ({ file }, [, name, least]) =>
      typeof file.note[name] === 'number' && file.note[name] > Number(least),
  ],
  [/^last > now\(\) - "60d"$/, ({ file }) => Date.parse(file.note.last) > now - 60 * 86_400_000],
];

/** Whether a list has a link to a file; a link that leads nowhere is itself by its text. */
function holds(find, values, wanted, text) {
  return values.some((value) => {
    const target = linkIn(value);
    if (target === undefined) return text !== undefined && value === text;
    const found = find(target);
    return found === undefined ? target === text : found === wanted;
  });
}

function passes(filter, context) {
  if (filter === undefined || filter === null) return true;
  if (typeof filter === 'string') {
    if (filter.startsWith('!')) return !passes(filter.slice(1), context);
    for (const [form, test] of forms) {
      const match = form.exec(filter);
      if (match !== null) return test(context, match);
    }
    throw new Error(`no form of filter that is known here: ${filter}`);
  }
  const [[kind, items]] = Object.entries(filter);
  if (kind === 'and') return items.every((item) => passes(item, context));
  if (kind === 'or') return items.some((item) => passes(item, context));
  return !items.some((item) => passes(item, context));
}

/**
 * The rows of every view of every base of a vault, with the base itself as `this`, and of every base
 * that is embedded in a note, with the note: `base#view <- note` and the paths of its rows.
 */
export function countBases(folder) {
  const vault = readVault(folder);
  const bases = vault.files.filter(({ ext }) => ext === 'base');
  const read = new Map(
    bases.map((file) => [file, readYaml(readFileSync(join(folder, file.path), 'utf8'))]),
  );
  const rowsOf = (base, view, self) => {
    const rows = vault.files.filter((file) => {
      const context = { ...vault, file, self };
      return passes(base.filters, context) && passes(view.filters, context);
    });
    const { limit } = view;
    const paths = rows.map(({ path }) => path).sort();
    return limit > 0 && paths.length > limit ? `${limit} of ${paths.length}` : paths;
  };
  const found = {};
  for (const [file, base] of read) {
    for (const view of base.views) found[`${file.path}#${view.name}`] = rowsOf(base, view, file);
  }
  for (const note of vault.files) {
    for (const { isEmbed, target, file } of note.targets) {
      if (!isEmbed || !read.has(file)) continue;
      const base = read.get(file);
      const name = target.replace(/^[^#|]*#?/, '').replace(/\|.*$/, '');
      const view = name === '' ? base.views[0] : base.views.find((each) => each.name === name);
      found[`${file.path}#${view.name} <- ${note.path}`] = rowsOf(base, view, note);
    }
  }
  return found;
}

if (process.argv[1]?.endsWith('count-bases.mjs')) {
  const found = Object.entries(countBases(process.argv[2] ?? '.'));
  for (const [name, rows] of found)
    console.log(`${name}: ${Array.isArray(rows) ? rows.length : rows}`);
  const sum = (rows) =>
    rows.reduce(
      (all, [, each]) => all + (Array.isArray(each) ? each.length : Number.parseInt(each, 10)),
      0,
    );
  const views = found.filter(([name]) => !name.includes(' <- '));
  const embeds = found.filter(([name]) => name.includes(' <- '));
  console.log(
    `${views.length} views, ${sum(views)} rows; ${embeds.length} embedded, ${sum(embeds)} rows`,
  );
}
