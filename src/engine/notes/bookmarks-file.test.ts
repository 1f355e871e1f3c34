import { describe, expect, it } from 'vitest';
import { appendBookmark, bookmarksIn, parseBookmarks } from './bookmarks-file.ts';

const added = { type: 'file', ctime: 5, path: 'New "x".md', subpath: '#A', title: 'T' };
const pretty = (items: readonly object[]): string => JSON.stringify({ items }, null, 2);
const folder = { type: 'folder', ctime: 1, path: 'F' };
const group = { type: 'group', ctime: 2, items: [folder], title: 'G' };

describe('appendBookmark', () => {
  it.each<readonly [behaviour: string, before: string, after: string]>([
    ['makes the file as the app formats it', '', pretty([added])],
    ['makes it where only blanks are', '\ufeff \n', pretty([added])],
    ['makes it where nothing is in it', '{}', pretty([added])],
    ['fills an empty list', pretty([]), pretty([added])],
    ['adds at the end, after groups', pretty([folder, group]), pretty([folder, group, added])],
    [
      'keeps keys that it does not know, their order and what is odd',
      '{\n  "version": 1.50,\n  "items": [\n    {"a" : 1}\n  ],\n  "z": null\n}\n',
      `{\n  "version": 1.50,\n  "items": [\n    {"a" : 1},\n${JSON.stringify(added, null, 2).replace(/^/gm, '    ')}\n  ],\n  "z": null\n}\n`,
    ],
    [
      'keeps CRLF and tabs',
      '{\r\n\t"items": [\r\n\t\t{}\r\n\t]\r\n}',
      `{\r\n\t"items": [\r\n\t\t{},\r\n${JSON.stringify(added, null, '\t').replace(/^/gm, '\t\t').replaceAll('\n', '\r\n')}\r\n\t]\r\n}`,
    ],
    ['keeps one line as one', '{"items":[{}, {}]}', `{"items":[{}, {},${JSON.stringify(added)}]}`],
    ['fills an empty list on one line', '{"items":[]}', `{"items":[${JSON.stringify(added)}]}`],
    [
      'adds the list where only other keys are',
      '{\n  "a": 1\n}',
      `${JSON.stringify({ a: 1, items: [added] }, null, 2)}`,
    ],
  ])('%s', (_, before, after) => {
    const text = appendBookmark(parseBookmarks(before), added);
    expect(text).toBe(after);
    expect(bookmarksIn(parseBookmarks(text)).at(-1)).toEqual({
      type: 'file',
      path: 'New "x".md',
      subpath: '#A',
      title: 'T',
      groups: [],
    });
  });
});

describe('parseBookmarks', () => {
  it.each(['{', '[]', '"x"', '{"items":{}}', '{"items":[]} x', 'null'])(
    'refuses %j: nothing of it may be lost',
    (text) => {
      expect(() => parseBookmarks(text)).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    },
  );

  it('flattens groups and passes over what is no bookmark', () => {
    const inner = { type: 'group', items: [{ type: 'url', url: 'https://x.y' }, 1, {}] };
    const outer = { type: 'group', title: 'Out', items: [inner, { type: 'search', query: 'q' }] };
    expect(bookmarksIn(parseBookmarks(pretty([outer, { type: 'graph', title: 'Map' }])))).toEqual([
      { type: 'url', url: 'https://x.y', groups: ['Out', ''] },
      { type: 'search', query: 'q', groups: ['Out'] },
      { type: 'graph', title: 'Map', groups: [] },
    ]);
  });
});
