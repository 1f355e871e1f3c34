import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import type { Version } from '../../../base/version.ts';
import { applyTemplate, createFromTemplate } from './apply-template.ts';

type ApplyTemplateRequest = Parameters<typeof applyTemplate>[1];

let vault: MemoryVault;
afterEach(() => vault.close());

const meeting = '---\n# kept\ntags: [meeting]\nstatus: open\n---\n# {{title}} of {{date:YYYY}}\n';
const files = {
  '.obsidian/templates.json': '{"folder":"Templates","dateFormat":"[day]"}',
  'Templates/Meeting.md': meeting,
  'Templates/Deep/Book.md': 'book {{title}} {{date}}',
  'Templates/Deep/Twice.md': '',
  'Templates/Other/twice.md': '',
  'Templates/Broken.md': '---\na: b: {{date}}\n---\nx',
  'Templates/Command.md':
    '<% tp.file.title %> in <% tp.file.folder(true) %>\n<%_ tp.file.cursor() %>',
  'Templates/Script.md': 'text\n<% tp.system.prompt("x") %>',
  'Meeting.md': 'a note, not a template',
  'Plain.md': 'plain {{title}}',
  'Sketch.canvas': '{}',
};

describe('applyTemplate', () => {
  it.each<[string, string, Partial<ApplyTemplateRequest>, string]>([
    [
      'by its name in the template folder, as it is written (D04)',
      'Meeting',
      {},
      meeting.replace('{{title}} of {{date:YYYY}}', 'New v1.2 of 2023'),
    ],
    ['by its name at any depth, with the formats of the vault', 'book', {}, 'book New v1.2 day'],
    ['by its path in the template folder', 'Deep/Book.md', {}, 'book New v1.2 day'],
    ['by its path in the vault', 'Templates/Deep/Book', {}, 'book New v1.2 day'],
    ['by its path in another case', 'templates/deep/BOOK', {}, 'book New v1.2 day'],
    ['that lies elsewhere', 'Plain', {}, 'plain New v1.2'],
    ['with another title', 'Plain', { title: 'T' }, 'plain T'],
    [
      'with properties on top',
      'Meeting',
      { title: 'T', properties: { status: 'done' } },
      '---\n# kept\ntags: [meeting]\nstatus: done\n---\n# T of 2023\n',
    ],
    ['with commands of Templater', 'Command', {}, 'New v1.2 in Sub'],
    ['whose properties are broken, as it is', 'Broken', {}, '---\na: b: day\n---\nx'],
  ])('makes a note from a template %s', async (_, template, more, text) => {
    vault = await openWrittenVault(files);
    const answer = await vault.change(applyTemplate, { template, path: 'Sub/New v1.2', ...more });
    expect(answer).toMatchObject({ path: 'Sub/New v1.2.md', created: true, warnings: [] });
    expect(vault.text('Sub/New v1.2.md')).toBe(text);
  });

  it.each<[string, string, string, string]>([
    [
      'properties beside its own, text at the end',
      'Meeting',
      '---\nstatus: "mine" # stays\ntags:\n- a\n---\nHello',
      '---\nstatus: "mine" # stays\ntags:\n- a\n- meeting\n---\nHello\n# Note of 2023\n',
    ],
    ['into an empty note', 'Plain', '', 'plain Note\n'],
    [
      'with the line ends of the note',
      'Meeting',
      'a\r\n',
      '---\r\ntags:\r\n  - meeting\r\nstatus: open\r\n---\r\na\r\n# Note of 2023\r\n',
    ],
    ['without text, nothing but properties', 'Empty', 'text', '---\nk: 1\n---\ntext'],
  ])('inserts into a note: %s', async (_, template, before, after) => {
    vault = await openWrittenVault({
      ...files,
      'Templates/Empty.md': '---\nk: 1\n---\n\n',
      'Sub/Note.md': before,
    });
    const answer = await vault.change(applyTemplate, { template, name: 'Note' });
    expect(answer).toMatchObject({ path: 'Sub/Note.md', created: false });
    expect(vault.text('Sub/Note.md')).toBe(after);
  });

  it.each<[string, Partial<ApplyTemplateRequest>, string]>([
    ['neither path nor name', { template: 'Meeting' }, 'invalid_input'],
    ['both', { template: 'Meeting', path: 'x', name: 'Plain' }, 'invalid_input'],
    ['no such template', { template: 'Nope', path: 'x' }, 'not_found'],
    ['several of that name', { template: 'twice', path: 'x' }, 'ambiguous'],
    ['a canvas as template', { template: 'Sketch.canvas', path: 'x' }, 'not_found'],
    ['a canvas to make', { template: 'Meeting', path: 'x.canvas' }, 'invalid_input'],
    ['a canvas to insert into', { template: 'Meeting', name: 'Sketch.canvas' }, 'invalid_input'],
    ['a note that is there', { template: 'Meeting', path: 'plain' }, 'already_exists'],
    ['a path outside', { template: '../x', path: 'x' }, 'not_found'],
    ['a command that asks', { template: 'Script', path: 'x' }, 'invalid_input'],
    ['the same for a note', { template: 'Script', name: 'Plain' }, 'invalid_input'],
    ['broken properties to merge', { template: 'Broken', name: 'Plain' }, 'invalid_input'],
    [
      'another version',
      { template: 'Meeting', name: 'Plain', version: 'x' as Version },
      'conflict',
    ],
  ])('refuses %s, and changes nothing', async (_, request, code) => {
    vault = await openWrittenVault(files);
    const before = vault.files();
    await expect(
      vault.change(applyTemplate, request as ApplyTemplateRequest),
    ).rejects.toMatchObject({ code });
    expect(vault.files()).toEqual(before);
  });

  it('makes a note with more text and other properties than the template', async () => {
    vault = await openWrittenVault({
      ...files,
      '.obsidian/app.json': '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}',
    });
    const request = { template: 'Meeting', name: 'Board', properties: { tags: ['b'], k: 1 } };
    const answer = await vault.change(createFromTemplate, { ...request, content: 'More.' });
    expect(answer).toMatchObject({ path: 'Inbox/Board.md', others: [] });
    expect(vault.text('Inbox/Board.md')).toBe(
      '---\n# kept\ntags: [b]\nstatus: open\nk: 1\n---\n# Board of 2023\nMore.\n',
    );
  });

  it.each<[string, string, string]>([
    [
      'replaces those of the template',
      '---\nStatus: done\nk: 2\nsize: [3]\n---\nMore.',
      '---\n# kept\ntags: [meeting]\nstatus: done\nk: 1\nsize:\n  - 3\n---\n# Board of 2023\nMore.\n',
    ],
    [
      'has no text after it',
      '---\nstatus: done\n---\n',
      '---\n# kept\ntags: [meeting]\nstatus: done\nk: 1\n---\n# Board of 2023\n',
    ],
    [
      'has no properties, so it is text between rules',
      '---\nSome text\n---\nMore.',
      '---\n# kept\ntags: [meeting]\nstatus: open\nk: 1\n---\n# Board of 2023\n---\nSome text\n---\nMore.\n',
    ],
  ])('makes a note whose text begins with a block that %s', async (_, content, text) => {
    vault = await openWrittenVault(files);
    const request = { template: 'Meeting', name: 'Board', properties: { k: 1 }, content };
    await vault.change(createFromTemplate, request);
    expect(vault.text('Board.md')).toBe(text);
  });

  it('says which templates there are, but none that the caller may not see', async () => {
    vault = await openWrittenVault(files);
    const limited = vault.as({ scopes: { ...allScopes, hide: ['Templates/Deep/**'] } });
    const work = limited.change(applyTemplate, { template: 'Book', path: 'x', dryRun: false });
    await expect(work).rejects.toMatchObject({
      code: 'not_found',
      details: {
        candidates: ['Broken', 'Command', 'Meeting', 'Other/twice', 'Script'].map(
          (name) => `Templates/${name}.md`,
        ),
      },
    });
  });
});
