import { expect, it } from 'vitest';
import { applyEdits } from '../text/text-edit.ts';
import { renameTag } from './rename-tag.ts';

// Each row: the tag and what it becomes, a note, and the note after.
it.each([
  [
    'old>new',
    '#old #OLD, #old/a/b. #older x#old `#old` %%#old%%',
    '#new #new, #new/a/b. #older x#old `#old` %%#new%%',
  ],
  ['a/b>c', '#a #a/b #A/B/d #a/bc', '#a #c #c/d #a/bc'],
  ['old>old/new', '#old #old/x', '#old/new #old/new/x'],
  ['work>Work', '---\ntags: [work, x]\n---\n#WORK', '---\ntags: [Work, x]\n---\n#Work'],
  ['old>$&', '#old', '#$&'],
  ['日本>中文', '#日本/x #日本語', '#中文/x #日本語'],
  ['old>new', '---\ntags: old\n---\n', '---\ntags: new\n---\n'],
  ['old>new', '---\nTags: "#old/x" # c\n---\n', '---\nTags: "#new/x" # c\n---\n'],
  [
    'old>new',
    "---\ntags:\n  - a # 1\n  - 'old' # 2\n  - old/x\n---\n",
    "---\ntags:\n  - a # 1\n  - 'new' # 2\n  - new/x\n---\n",
  ],
  [
    'old>new',
    '---\ntags: [ a,  "#old", 3, old/b ]\r\n---\r\n',
    '---\ntags: [ a,  "#new", 3, new/b ]\r\n---\r\n',
  ],
  ['old>new', '---\ntags:\n  - old\n  - NEW\n  - x\n---\n', '---\ntags:\n  - NEW\n  - x\n---\n'],
  ['old>new', '---\ntags: [old, OLD, "#old"]\n---\n', '---\ntags: [new]\n---\n'],
  ['old>new', '{"tags": 1}\n#old', '{"tags": 1}\n#new'],
  ['old>new', '---\n{"tags": ["old"]}\n---\n', '---\n{"tags": ["new"]}\n---\n'],
  ['old>new', '---\ntags: [old\n---\n#old', '---\ntags: [old\n---\n#new'],
  ['old>new', '---\ntags: a, old\ntag: old\n---\n', '---\ntags: a, old\ntag: old\n---\n'],
])('%s in %j', (rename, before, after) => {
  const [from = '', to = ''] = rename.split('>');
  const { edits } = renameTag(before, { from, to });
  expect(applyEdits(before, edits)).toBe(after);
});
