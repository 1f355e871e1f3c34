import { describe, expect, it } from 'vitest';
import type { BasesRename } from '../../ports/bases-rename.ts';
import { baseLinkPaths, renameInBases } from './rename-in-base.ts';

type Row = readonly [why: string, before: string, after: string];

function check(rename: Omit<BasesRename, 'kind'>, [, before, after]: Row): void {
  for (const start of ['', '\ufeff']) {
    const found = renameInBases(start + before, { kind: 'base', ...rename });
    expect(found?.text).toBe(start + after);
  }
  const [open, close] = ['# Note\n\n```base\n', '```\n\nstatus #a link("Old")\n'];
  const found = renameInBases(open + before + close, { kind: 'note', ...rename });
  expect(found?.text).toBe(open + after + close);
}

describe('a property that is renamed', () => {
  const property = { from: 'Status', to: 'state' };
  it.each<Row>([
    ['in a filter', 'filters: status == "open"\n', 'filters: state == "open"\n'],
    [
      'in all filters, with comments and quotes kept',
      `filters:\n  and:\n    - 'status == "a"' # c\n    - or: [ "note.status", 'note["status"].isEmpty()' ]\n`,
      `filters:\n  and:\n    - 'state == "a"' # c\n    - or: [ "note.state", 'note["state"].isEmpty()' ]\n`,
    ],
    ['in escapes of YAML', 'filters: "status == \\"a\\""\n', 'filters: "state == \\"a\\""\n'],
    ['as this.x', 'filters: this.status == status\n', 'filters: this.state == state\n'],
    [
      'of another file',
      'formulas:\n  a: link("X").asFile().properties.status + file.properties["Status"]\n',
      'formulas:\n  a: link("X").asFile().properties.state + file.properties["state"]\n',
    ],
    [
      'as hasProperty',
      `filters: file.hasProperty('STATUS')\n`,
      `filters: file.hasProperty('state')\n`,
    ],
    [
      'not where it is something else',
      `filters: formula.status && file.status && status() && x.status && {"status": "status"}\nformulas:\n  status: '"status"'\nname: status\n`,
      `filters: formula.status && file.status && status() && x.status && {"status": "status"}\nformulas:\n  status: '"status"'\nname: status\n`,
    ],
    [
      'in every place of a view',
      `properties:\n  note.status: # c\n    displayName: status\n  "status":\n    displayName: s\nviews:\n  - type: table\n    name: status\n    order: [file.name, status, note.STATUS, formula.status]\n    sort:\n      - property: note.status\n        direction: ASC\n      - column: status\n    groupBy:\n      property: status\n      direction: DESC\n    summaries:\n      note.status: Unique\n    columnSize:\n      note.status: 120\n    image: status\n    other: status\n    startDate: note.status\n`,
      `properties:\n  note.state: # c\n    displayName: status\n  "state":\n    displayName: s\nviews:\n  - type: table\n    name: status\n    order: [file.name, state, note.state, formula.status]\n    sort:\n      - property: note.state\n        direction: ASC\n      - column: state\n    groupBy:\n      property: state\n      direction: DESC\n    summaries:\n      note.state: Unique\n    columnSize:\n      note.state: 120\n    image: state\n    other: status\n    startDate: note.state\n`,
    ],
    [
      'in a block of several lines',
      'formulas:\n  a: |-\n    if(status,\n      status + 1, [1].map(value + status))\n  b: >\n    status\n    + 1\n',
      'formulas:\n  a: |-\n    if(state,\n      state + 1, [1].map(value + state))\n  b: >\n    state\n    + 1\n',
    ],
    [
      'with CRLF',
      'filters:\r\n  and:\r\n    - status\r\n',
      'filters:\r\n  and:\r\n    - state\r\n',
    ],
    ['not in what cannot be read', 'filters: status ==\n', 'filters: status ==\n'],
    ['not in what is no YAML', 'filters: [status\n', 'filters: [status\n'],
    ['through an alias', 'a: &x status > 1\nfilters: *x\n', 'a: &x status > 1\nfilters: *x\n'],
  ])('%s', (...row) => check({ property }, row));

  it.each<Row>([
    ['a bare name', 'filters: status > 1\n', `filters: note["my state"] > 1\n`],
    ['note.x', 'filters: note.status > 1\n', 'filters: note["my state"] > 1\n'],
    ['this . x', 'filters: this . status > 1\n', 'filters: this ["my state"] > 1\n'],
    ['an id', 'views:\n  - order: [status]\n', 'views:\n  - order: [my state]\n'],
  ])('gets brackets where the name needs them: %s', (...row) =>
    check({ property: { from: 'status', to: 'my state' } }, row),
  );

  it.each<Row>([
    ['a colon', 'views:\n  - order:\n      - status\n', `views:\n  - order:\n      - 'a: b #c'\n`],
    ['in an expression', 'filters: status\n', `filters: 'note["a: b #c"]'\n`],
  ])('gets quotes of YAML where it needs them: %s', (...row) =>
    check({ property: { from: 'status', to: 'a: b #c' } }, row),
  );

  it('is written so that nothing hides it', () => {
    check({ property: { from: 'x', to: 'value' } }, [
      '',
      'formulas:\n  a: x + [1].map(x + value)\nsummaries:\n  s: values.length\n',
      'formulas:\n  a: value + [1].map(note.value + value)\nsummaries:\n  s: values.length\n',
    ]);
    check({ property: { from: 'x', to: 'file' } }, ['', 'filters: x\n', 'filters: note.file\n']);
    check({ property: { from: 'x', to: 'file.name' } }, [
      '',
      'views:\n  - order: [x]\n',
      'views:\n  - order: [note.file.name]\n',
    ]);
    check({ property: { from: 'value', to: 'y' } }, [
      '',
      'formulas:\n  a: value + x.filter(value) + note.value\n',
      'formulas:\n  a: y + x.filter(value) + note.y\n',
    ]);
  });

  it('is refused where a base has settings for both names', () => {
    const text = 'properties:\n  note.a:\n    displayName: A\n  note.b:\n    displayName: B\n';
    const property = { from: 'a', to: 'b' };
    expect(renameInBases(text, { kind: 'base', property })).toBeUndefined();
  });
});

describe('a tag that is renamed', () => {
  it.each<Row>([
    [
      'hasTag',
      'filters: file.hasTag("A", "#a/b", "ab")\n',
      'filters: file.hasTag("c", "#c/b", "ab")\n',
    ],
    ['file.tags', `filters: file.tags.contains("a")\n`, `filters: file.tags.contains("c")\n`],
    [
      'tags',
      `filters: '!tags.containsAny("a", "x")'\n`,
      `filters: '!tags.containsAny("c", "x")'\n`,
    ],
    ['list(tags)', 'filters: list(tags).contains("a")\n', 'filters: list(tags).contains("c")\n'],
    [
      'no tag',
      'filters: title.contains("a") && x == "a"\n',
      'filters: title.contains("a") && x == "a"\n',
    ],
  ])('%s', (...row) => check({ tag: { from: 'a', to: 'c' } }, row));
});

describe('a folder that is renamed', () => {
  it.each<Row>([
    ['inFolder', 'filters: file.inFolder("A/B")\n', 'filters: file.inFolder("X/Y")\n'],
    ['one inside', 'filters: file.inFolder("/A/B/C/")\n', 'filters: file.inFolder("/X/Y/C/")\n'],
    ['file.folder', 'filters: file.folder != "A/B"\n', 'filters: file.folder != "X/Y"\n'],
    [
      'another',
      'filters: file.inFolder("A") || file.inFolder("A/BC")\n',
      'filters: file.inFolder("A") || file.inFolder("A/BC")\n',
    ],
  ])('%s', (...row) => check({ folder: { from: 'A/B', to: 'X/Y' } }, row));
});

describe('links in bases', () => {
  it('are found wherever a text is one', () => {
    const text = `filters:\n  and: ['file.hasLink("A/B#h")', 'x == link("C|d")', 'y == "[[E]]"', 'file("F.md").name', 'link("https://x.org")', 'title == "G"']\n`;
    expect(baseLinkPaths(text, 'base').toSorted()).toEqual(['A/B', 'C', 'E', 'F.md']);
  });
});
