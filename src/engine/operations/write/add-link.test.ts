import { afterEach, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { addLink } from './add-link.ts';

type AddLinkRequest = Parameters<typeof addLink>[1];

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

const others = { 'A/T.md': '# One: two\n', 'B/T.md': '', 'U.md': '', 'p.png': '' };
const markdown = { '.obsidian/app.json': '{"useMarkdownLinks":true}' };

interface Row {
  readonly it: string;
  readonly text: string;
  readonly request: Omit<AddLinkRequest, 'name'>;
  readonly files?: Readonly<Record<string, string>>;
  readonly after: string;
  readonly line: number;
}

it.each<Row>([
  { it: 'at the end', text: 'text', request: { target: 'U' }, after: 'text\n[[U]]\n', line: 2 },
  {
    it: 'with the path it needs',
    text: '',
    request: { target: 'A/T' },
    after: '[[A/T]]\n',
    line: 1,
  },
  {
    it: 'with a display text',
    text: '',
    request: { target: 'U', display: 'you' },
    after: '[[U|you]]\n',
    line: 1,
  },
  {
    it: 'to a heading, as links write it',
    text: '',
    request: { target: 'A/T', heading: 'one two' },
    after: '[[A/T#One two]]\n',
    line: 1,
  },
  {
    it: 'to an attachment, with its extension',
    text: '',
    request: { target: 'p.png' },
    after: '[[p.png]]\n',
    line: 1,
  },
  {
    it: "in the vault's style",
    text: '',
    request: { target: 'A/T' },
    files: markdown,
    after: '[T](A/T.md)\n',
    line: 1,
  },
  {
    it: 'to a section',
    text: '# S\r\nx\r\n\r\n# R\r\n[[U]]\r\n',
    request: { target: 'U', section: 'S' },
    after: '# S\r\nx\r\n[[U]]\r\n\r\n# R\r\n[[U]]\r\n',
    line: 3,
  },
  {
    it: 'beside a link to another note of that name',
    text: '[[B/T]]\n',
    request: { target: 'A/T' },
    after: '[[B/T]]\n[[A/T]]\n',
    line: 2,
  },
])('a link is added $it', async ({ text, request, files, after, line }) => {
  const vault = await openWrittenVault({ ...others, ...files, 'n.md': text });
  opened = vault;
  const answer = await vault.change(addLink, { name: 'n', ...request });
  expect(answer).toMatchObject({ path: 'n.md', added: true, line });
  expect(vault.text('n.md')).toBe(after);
  expect(await vault.change(addLink, { name: 'n', ...request })).toMatchObject({
    added: false,
    line,
  });
  expect(vault.text('n.md')).toBe(after);
});

it.each<[string, Omit<AddLinkRequest, 'name'>, string]>([
  ['a target that is not there', { target: 'gone' }, 'not_found'],
  ['a target that several notes could be', { target: 'T' }, 'ambiguous'],
  ['a heading that the target lacks', { target: 'U', heading: 'x' }, 'not_found'],
  ['a section that the note lacks', { target: 'U', section: 'x' }, 'not_found'],
  ['a text that ends the link', { target: 'U', display: 'a]] b' }, 'invalid_input'],
  ['a text of two lines', { target: 'U', display: 'a\nb' }, 'invalid_input'],
])('%s is refused', async (_, request, code) => {
  const vault = await openWrittenVault({ ...others, 'n.md': '' });
  opened = vault;
  await expect(vault.change(addLink, { name: 'n', ...request })).rejects.toMatchObject({ code });
});
