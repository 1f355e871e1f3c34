// The text of PDFs, judged by poppler (`pdftotext`), which shares no code with our reader: the same
// words on the same pages, and each page is found by a word of it. Build first.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  check,
  repository,
  run,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

const media = join(repository, 'test', 'media', 'pdf');
/** Of formulas, the two readers take some signs apart differently. */
const shareMin = 0.98;

const pdftotext = await systemProgram('pdftotext', 'poppler-utils');
const { home, env } = temporaryHome('media');
const vault = join(home, 'vault');
mkdirSync(vault);
cpSync(media, vault, { recursive: true });
const program = [join(repository, 'dist', 'vaultdoor.js'), 'stdio', '--vault', vault];
const client = new Client({ name: 'test-media', version: '1' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [...program, '--context', 'off'],
    env,
    stderr: 'ignore',
  }),
);

/** The text of a tool's answer. */
async function call(name, args) {
  const { content } = await client.callTool({ name, arguments: args });
  return content.map(({ text }) => text).join('');
}

/** What poppler reads on each page; undefined where it refuses the file. */
async function judged(file) {
  const { code, stdout } = await run(pdftotext, ['-enc', 'UTF-8', join(media, file), '-']);
  return code === 0 ? stdout.split('\f').slice(0, -1) : undefined;
}

/** The words of a text, sorted: readers order the parts of a page differently. Ligatures are letters. */
function wordsOf(text) {
  const whole = text.normalize('NFKC').replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, '');
  return (whole.match(/[\p{L}\p{N}]+/gu) ?? []).sort();
}

/** Which part of the words of two texts is in both. */
function shareOf(one, other) {
  const left = new Map();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of one) {
    const times = left.get(word) ?? 0;
    if (times > 0) both++;
    left.set(word, times - 1);
  }
  return (2 * both) / Math.max(1, one.length + other.length);
}

const texts = { 'libreoffice.pdf': 2, 'tex.pdf': 3, 'ghostscript.pdf': 2 };
for (const [file, count] of Object.entries(texts)) {
  const pages = await judged(file);
  check(`${file}: poppler sees ${count} pages`, pages?.length === count, pages);
  for (const [at, page] of (pages ?? []).entries()) {
    const place = `${file}#page=${at + 1}`;
    const read = (await call('read_note', { name: place })).replace(/^\[Page .*\]\n/, '');
    const [ours, theirs] = [wordsOf(read), wordsOf(page)];
    const share = shareOf(ours, theirs);
    const isSame = theirs.length > 4 && share >= shareMin;
    check(`${place} has the words that poppler reads`, isSame, { share, ours, theirs });
    const elsewhere = new Set(pages.flatMap((other) => (other === page ? [] : wordsOf(other))));
    const own = theirs.filter((word) => !elsewhere.has(word));
    const longest = own.reduce((best, word) => (word.length > best.length ? word : best), '');
    const isFound = async () => (await call('search_notes', { query: longest })).includes(place);
    await until(isFound, () => `"${longest}" is not found at ${place}`, 30);
    check(`${place} is found by "${longest}"`, true);
  }
}
const scan = (await judged('scan.pdf')) ?? [];
const scanned = await call('read_note', { name: 'scan.pdf' });
check('a scan has no text, as poppler says', wordsOf(scan.join('')).length === 0, scan);
check('and the answer says so', scanned.includes('it may be a scan'), scanned);
check('poppler refuses the encrypted one, too', (await judged('encrypted.pdf')) === undefined);
const locked = await call('read_note', { name: 'encrypted.pdf' });
check('and the answer says why', locked.includes('encrypted'), locked);
const strange = readdirSync(media).filter((name) => !name.endsWith('.pdf'));
check('there is nothing else in test/media/pdf', strange.length === 0, strange);
await client.close();
