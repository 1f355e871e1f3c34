import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import markdownIt, { type Token } from 'markdown-it';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leanMarkdownIt } from '../../scripts/console/lean-markdown-it.mjs';

// The console is bundled with a part of markdown-it. It parses as the whole package does.

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
let lean: typeof markdownIt;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lean-markdown-it-'));
  const outfile = join(folder, 'lean.mjs');
  await build({
    stdin: { contents: "export { default } from 'markdown-it';", resolveDir: root },
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'warning',
    plugins: [leanMarkdownIt],
  });
  lean = (await import(pathToFileURL(outfile).href)).default;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Tokens as plain data. Destinations stay as they are written, as in the console. */
function tokensOf(made: typeof markdownIt, text: string): unknown {
  const parser = made({ html: false });
  parser.validateLink = () => true;
  parser.normalizeLink = (address) => address;
  parser.normalizeLinkText = (address) => address;
  const plain = ({ attrs, children, ...rest }: Token): unknown => ({
    ...rest,
    attrs,
    children: children?.map(plain),
  });
  return parser.parse(text, {}).map(plain);
}

describe('the part of markdown-it that the console has', () => {
  it('parses the example vault as the whole does', async () => {
    const vault = join(root, 'examples', 'vault');
    const names = await readdir(vault, { recursive: true });
    const notes = names.filter((name) => name.endsWith('.md'));
    expect(notes.length).toBeGreaterThan(30);
    for (const name of notes) {
      const text = readFileSync(join(vault, name), 'utf8');
      expect(tokensOf(lean, text), name).toEqual(tokensOf(markdownIt, text));
    }
  });

  it.each([
    '&amp; &lt; &quot; &nbsp; &mdash; &hellip; &copy; &euro; &#33; &#x21; & &; &unknown; &AMP',
    '<b>a</b> <http://a.example> <me@a.example> <!-- a -->',
    '<div>\n\na\n\n</div>',
    '“a”*b*。*c*、**d**！_e_',
    '[a](<b c> "d&amp;e") ![f](g) [h]\n\n[h]: i "j"',
    '"quotes" -- (c) ... www.a.example',
    '|a|b|\n|-|-|\n|c\\|d|`e`|',
  ])('parses as the whole does: %j', (text) => {
    expect(tokensOf(lean, text)).toEqual(tokensOf(markdownIt, text));
  });

  it('leaves names of characters that notes do not use as they are written', () => {
    expect(JSON.stringify(tokensOf(lean, '&Zopf;'))).toContain('&Zopf;');
  });
});
