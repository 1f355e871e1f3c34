import { capitalised, type PlannedNote, pathOf } from './plan-notes.ts';
import type { Random } from './random.ts';

/** How many links, tags and so on were written. */
export interface Counts {
  links: number;
  embeds: number;
  unresolved: number;
  tags: number;
  tasks: number;
}

/** Everything that the text of one note is made from. */
export interface Page {
  note: PlannedNote;
  random: Random;
  /** The words of the note's script, the frequent ones first. Only the first `known` are used. */
  words: readonly string[];
  known: number;
  tags: readonly string[];
  notes: readonly PlannedNote[];
  attachments: readonly string[];
  counts: Counts;
}

const MEAN_CHARACTERS = 3_500;
const SPREAD = 0.75;

/** Makes up the text of one note, and adds its links, tags and so on to the counts of the page. */
export function noteText(page: Page): string {
  const { note, random } = page;
  const parts = [frontmatter(page), `# ${note.name}`, paragraph(page), `## ${note.heading}`];
  parts.push(paragraph(page) + (note.block === undefined ? '' : ` ^${note.block}`));
  let length = parts.join('\n\n').length;
  for (const target = targetLength(page); length < target; ) {
    const part = block(page);
    parts.push(part);
    length += part.length + 2;
  }
  // Some editors leave no final newline.
  return parts.filter((part) => part !== '').join('\n\n') + (random.chance(0.9) ? '\n' : '');
}

// Lengths follow a log-normal distribution: most notes are short, a few are very long.
function targetLength({ note, random }: Page): number {
  const normal =
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const characters = MEAN_CHARACTERS * Math.exp(SPREAD * normal - (SPREAD * SPREAD) / 2);
  // A Han character is three bytes, a Cyrillic letter two.
  const width = { latin: 1, cyrillic: 1.6, han: 2.2 }[note.script];
  return Math.min(60_000, characters) / width;
}

function frontmatter(page: Page): string {
  const { random } = page;
  if (random.chance(0.15)) return '';
  const lines: string[] = [];
  if (random.chance(0.3)) lines.push('aliases:', `  - ${title(page)}`);
  if (random.chance(0.65)) lines.push('tags:', ...items(random.between(1, 3), () => tag(page)));
  if (random.chance(0.7)) lines.push(`created: ${date(random)}`);
  if (random.chance(0.3)) lines.push(`updated: ${date(random)}T0${random.between(0, 9)}:30:00`);
  if (random.chance(0.3)) {
    lines.push('related:', ...items(random.between(1, 3), () => `"[[${target(page)}]]"`));
  }
  if (random.chance(0.2)) lines.push(`rating: ${random.between(1, 5)}`);
  if (random.chance(0.1)) lines.push(`done: ${random.chance(0.5)}`);
  return lines.length === 0 ? '' : ['---', ...lines, '---'].join('\n');
}

function block(page: Page): string {
  const { random } = page;
  const kind = random.next();
  if (kind < 0.58) return paragraph(page);
  if (kind < 0.72) return `${'#'.repeat(random.between(2, 4))} ${title(page)}`;
  if (kind < 0.82) return list(random.between(2, 6), () => `- ${sentence(page)}`);
  if (kind < 0.91) return list(random.between(1, 5), () => task(page));
  if (kind < 0.96) return `> [!note] ${title(page)}\n> ${sentence(page)}`;
  return `\`\`\`js\n${list(random.between(2, 8), () => `call('${word(page)}', "[[${word(page)}]]");`)}\n\`\`\``;
}

function task(page: Page): string {
  page.counts.tasks += 1;
  return `- [${page.random.pick([' ', ' ', 'x', 'x', '/', '-'])}] ${sentence(page)}`;
}

function paragraph(page: Page): string {
  const sentences = page.random.between(2, 7);
  let text = '';
  for (let count = 0; count < sentences; count += 1) {
    if (count > 0) text += page.note.script === 'han' ? '' : ' ';
    text += sentence(page);
  }
  return text;
}

function sentence(page: Page): string {
  const { random } = page;
  const separator = page.note.script === 'han' ? '' : ' ';
  const length = random.between(6, 18);
  let text = capitalised(word(page));
  for (let count = 1; count < length; count += 1) text += separator + word(page);
  if (random.chance(0.21)) text += ` ${link(page)}`;
  if (random.chance(0.04)) text += ` #${tag(page)}`;
  return page.note.script === 'han' ? `${text} 。` : `${text}.`;
}

function link(page: Page): string {
  const { random } = page;
  const kind = random.next();
  if (kind < 0.07) return embed(page);
  if (kind < 0.12) return unresolved(page);
  const note = linkedNote(page);
  if (kind < 0.22) return markdownLink(page, note);
  page.counts.links += 1;
  const name = linkText(page, note);
  if (kind < 0.42) return `[[${name}|${word(page)} ${word(page)}]]`;
  if (kind < 0.52) return `[[${name}#${note.heading}]]`;
  if (kind < 0.56 && note.block !== undefined) return `[[${name}#^${note.block}]]`;
  return `[[${name}]]`;
}

function embed(page: Page): string {
  page.counts.links += 1;
  page.counts.embeds += 1;
  if (page.random.chance(0.6)) return `![[${page.random.pick(page.attachments)}|300]]`;
  const note = linkedNote(page);
  return `![[${linkText(page, note)}#${note.heading}]]`;
}

// No note's name ends with these words, so the link stays unresolved in a vault of any size.
function unresolved(page: Page): string {
  page.counts.links += 1;
  page.counts.unresolved += 1;
  return `[[${capitalised(word(page))} some day]]`;
}

function markdownLink(page: Page, note: PlannedNote): string {
  page.counts.links += 1;
  const depth = page.note.folder === '' ? 0 : page.note.folder.split('/').length;
  const path = page.random.chance(0.5) ? pathOf(note) : '../'.repeat(depth) + pathOf(note);
  return `[${word(page)}](${path.replaceAll(' ', '%20')})`;
}

function target(page: Page): string {
  page.counts.links += 1;
  return linkText(page, linkedNote(page));
}

// Half of the links to a name that occurs several times have no folder, as people write them.
function linkText({ random }: Page, note: PlannedNote): string {
  const withFolder = random.chance(note.ambiguous ? 0.5 : 0.05);
  return withFolder ? pathOf(note).slice(0, -'.md'.length) : note.name;
}

// A few notes get very many links, like the hubs of a real vault.
function linkedNote({ notes, random }: Page): PlannedNote {
  const found = notes[Math.floor(notes.length * random.next() ** 2.5)];
  if (found === undefined) throw new Error('A vault without notes has no note to link to.');
  return found;
}

function tag(page: Page): string {
  page.counts.tags += 1;
  return page.random.zipf(page.tags);
}

function title(page: Page): string {
  return capitalised(`${page.random.pick(page.words)} ${word(page)} ${word(page)}`);
}

function word({ random, words, known }: Page): string {
  return random.zipf(words, known);
}

function date(random: Random): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${random.between(2019, 2026)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
}

function items(count: number, make: () => string): string[] {
  return Array.from({ length: count }, () => `  - ${make()}`);
}

function list(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join('\n');
}
