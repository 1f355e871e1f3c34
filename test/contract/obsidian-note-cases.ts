import { expect } from 'vitest';
import { call, fails, gives, seedHandshake, serveObsidian, tells } from './obsidian-steps.ts';
import type { WireCase } from './run-wire-case.ts';

const issue = 'issue 5';

const missing = { code: -32003, errorCode: 'FILE_NOT_FOUND' };

/** The nine tools of the seed: what each does, as the next calls can see it, and how it fails. */
export const noteToolCases: readonly WireCase[] = [
  {
    id: 'O21',
    source: `${issue}: obsidian_create_note (name, content, overwrite)`,
    given: {
      '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}',
      'Old.md': '---\na: 1\n---\nold\n',
    },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      gives('obsidian_create_note', { name: 'Idea' }, { path: 'Inbox/Idea.md', created: true }),
      gives('obsidian_read_note', { name: 'Idea' }, { path: 'Inbox/Idea.md', content: '' }),
      gives(
        'obsidian_create_note',
        { name: 'Deep/er/Idea', content: 'x' },
        { path: 'Deep/er/Idea.md', created: true },
      ),
      tells(
        'obsidian_create_note',
        { name: 'Old.md', path: 'Old.md', content: 'new', overwrite: true },
        '"path":"Old.md","created":true',
      ),
      gives('obsidian_read_note', { name: 'Old' }, { path: 'Old.md', content: 'new' }),
    ],
  },
  {
    id: 'O22',
    source: `${issue}: obsidian_read_note (name): a name, a path, with and without .md`,
    given: { 'Sub/A note.md': '---\nk: 1\n---\ntext ✓\r\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      ...['A note', 'a NOTE', 'Sub/A note', 'Sub/A note.md'].map((name) =>
        gives(
          'obsidian_read_note',
          { name },
          { path: 'Sub/A note.md', content: '---\nk: 1\n---\ntext ✓\r\n' },
        ),
      ),
      fails('obsidian_read_note', { name: 'B note' }, missing),
    ],
  },
  {
    id: 'O23',
    source: `${issue}: obsidian_append_note (name, content)`,
    given: { 'A.md': '---\na: 1\n---\nfirst\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      gives(
        'obsidian_append_note',
        { name: 'A', content: 'last' },
        { path: 'A.md', appended: true },
      ),
      tells('obsidian_read_note', { name: 'A' }, '---\\na: 1\\n---\\nfirst\\nlast'),
      fails('obsidian_append_note', { name: 'B', content: 'last' }, missing),
    ],
  },
  {
    id: 'O24',
    source: `${issue}: obsidian_prepend_note (name, content), after the properties as the CLI`,
    given: { 'A.md': '---\na: 1\n---\nlast\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      gives(
        'obsidian_prepend_note',
        { name: 'A', content: 'first' },
        { path: 'A.md', prepended: true },
      ),
      gives(
        'obsidian_read_note',
        { name: 'A' },
        { path: 'A.md', content: '---\na: 1\n---\nfirst\nlast\n' },
      ),
      fails('obsidian_prepend_note', { name: 'B', content: 'first' }, missing),
    ],
  },
  {
    id: 'O25',
    source: `${issue}: obsidian_delete_note (name, permanent?); links left as the app leaves them`,
    given: {
      '.obsidian/app.json': '{"trashOption":"local"}',
      'A.md': 'a\n',
      'B.md': 'b\n',
      'C.md': '[[A]] and [[B]]\n',
    },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      gives(
        'obsidian_delete_note',
        { name: 'A' },
        { path: 'A.md', deleted: true, trash: '.trash/A.md' },
      ),
      gives(
        'obsidian_delete_note',
        { name: 'B', permanent: true },
        { path: 'B.md', deleted: true },
      ),
      gives('obsidian_read_note', { name: 'C' }, { path: 'C.md', content: '[[A]] and [[B]]\n' }),
      fails('obsidian_read_note', { name: 'A' }, missing),
      fails('obsidian_delete_note', { name: 'B' }, missing),
    ],
  },
  {
    id: 'O26',
    source: `${issue}: obsidian_move_note (name, to), with the links to it`,
    given: { 'Old/A.md': 'a\n', 'Sub/B.md': 'to [[A]]\n', 'C.md': 'to [[Old/A]]\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      tells(
        'obsidian_move_note',
        { name: 'A', to: 'Sub/' },
        '"path":"Sub/A.md","from":"Old/A.md","moved":true,"links":1',
      ),
      gives('obsidian_read_note', { name: 'C' }, { path: 'C.md', content: 'to [[A]]\n' }),
      gives('obsidian_read_note', { name: 'B' }, { path: 'Sub/B.md', content: 'to [[A]]\n' }),
      fails('obsidian_move_note', { name: 'Nothing', to: 'Sub/' }, missing),
      fails(
        'obsidian_move_note',
        { name: 'A', to: 'C.md' },
        { code: -32000, errorCode: 'ALREADY_EXISTS' },
      ),
    ],
  },
  {
    id: 'O27',
    source: `${issue}: obsidian_rename_note (name, new_name), with the links to it`,
    given: { 'Sub/A.md': 'a\n', 'B.md': 'to [[A|this]]\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      gives(
        'obsidian_rename_note',
        { name: 'A', new_name: 'Zed' },
        { path: 'Sub/Zed.md', from: 'Sub/A.md', renamed: true, links: 1 },
      ),
      gives('obsidian_read_note', { name: 'B' }, { path: 'B.md', content: 'to [[Zed|this]]\n' }),
      fails('obsidian_rename_note', { name: 'A', new_name: 'Y' }, missing),
    ],
  },
  {
    id: 'O28',
    source: `${issue}: obsidian_open_note (name), through the CLI of the app`,
    given: { 'Sub/A.md': '', 'missing in the app.md': '' },
    start: serveObsidian('running'),
    steps: [
      ...seedHandshake,
      gives('obsidian_open_note', { name: 'A' }, { path: 'Sub/A.md', opened: true }),
      fails('obsidian_open_note', { name: 'B' }, missing),
      fails('obsidian_open_note', { name: 'missing in the app' }, missing),
    ],
  },
  {
    id: 'O29',
    source: `${issue}: obsidian_file_info (name)`,
    given: { 'Sub/A.md': '---\naliases: [Ay]\n---\n#tag\n' },
    start: serveObsidian(),
    steps: [
      ...seedHandshake,
      {
        send: call('obsidian_file_info', { name: 'A' }),
        answer: {
          id: 3,
          result: {
            content: [
              {
                type: 'text',
                text: expect.stringMatching(
                  /"path":"Sub\/A.md","name":"A","extension":"md",.*"bytes":27,"created":"20[^"]+Z","modified":"20[^"]+Z","tags":\["#tag"\],"aliases":\["Ay"\]/,
                ),
              },
            ],
          },
        },
      },
      fails('obsidian_file_info', { name: 'B' }, missing),
    ],
  },
];
