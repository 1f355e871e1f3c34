import { describe, expect, it } from 'vitest';
import { countWords } from './count-words.ts';

describe('countWords', () => {
  it.each<readonly [behaviour: string, text: string, words: number, characters: number]>([
    ['is nothing in an empty note', '', 0, 0],
    ['parts words at blanks and signs', 'One, two: three/four.', 4, 21],
    ['takes hyphens and apostrophes as letters', "well-known don't it’s", 3, 21],
    ['takes a number with its points and commas as one', '1,234.5 and 3.14', 3, 16],
    ['does not take the full stop after a number with it', '3. 4,', 2, 5],
    ['leaves out the properties', '---\ntitle: A note\n---\nBody text\n', 2, 10],
    ['leaves out properties that are not valid', '---\na: b: c\n---\nBody', 1, 4],
    ['leaves out a byte order mark', '\ufeffBody', 1, 4],
    ['does not count the signs of Markdown', '# Head\n**bold** `code` > quote [[Link]]', 5, 39],
    ['counts a hyphen of a list', '- item', 2, 6],
    ['counts every Chinese character', '日本語 text', 4, 8],
    ['counts every kana', 'ひらがなカタカナー', 9, 9],
    ['counts Korean by its blanks', '안녕 하세요', 2, 6],
    ['counts letters of other scripts with their marks', 'привет cafe\u0301 नमस्ते', 3, 19],
    ['parts Latin from Chinese', 'Obsidian笔记', 3, 10],
    ['does not count emoji', '🔥 fire', 1, 7],
  ])('%s', (_, text, words, characters) => {
    expect(countWords(text)).toEqual({ words, characters });
  });
});
