import { describe, expect, it } from 'vitest';
import { note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import * as q from '../../../test/support/search-queries.ts';
import type { SearchedNote } from '../../../test/support/searched-vault.ts';
import { foundPaths, searchedVault } from '../../../test/support/searched-vault.ts';
import type { SearchPage } from '../../engine/ports/index-store.ts';
import type { Query } from '../../engine/ports/search-query.ts';
import { wholeVault } from '../../engine/ports/view.ts';

type Notes = Readonly<Record<string, SearchedNote>>;

/** What a search finds in a vault of these notes. */
async function searched(notes: Notes, query: Query): Promise<SearchPage> {
  const store = await searchedVault(notes);
  const page = await store.search(wholeVault, query, { limit: 100, offset: 0 });
  await store.close();
  return page;
}

async function check(notes: Notes, query: Query, expected: readonly string[]): Promise<SearchPage> {
  const page = await searched(notes, query);
  expect(page.items.map(({ path }) => path.replace(/\.md$/, ''))).toEqual(expected);
  return page;
}

/** Notes that only fill the vault, so that words of others are rare. */
const filler = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`Filler ${at}.md`, 'lorem ipsum dolor']),
);

describe('the order', () => {
  it('has titles before aliases before headings before bodies', async () => {
    const notes: Notes = {
      ...filler,
      'Body.md': 'apple',
      'Heading.md': { body: 'x', facts: { detail: { headings: [[1, 'an apple', 0]] } } },
      'Alias.md': { body: 'x', facts: { aliases: ['an apple'] } },
      'An apple.md': 'x',
    };
    await check(notes, q.words('apple'), ['An apple', 'Alias', 'Heading', 'Body']);
  });

  it('begins with the note that is called as the query, then with one that has such an alias', async () => {
    const notes: Notes = {
      ...filler,
      'Wolf.md': 'x',
      'Crème brûlée, wolf.md': `creme brulee wolf ${'word '.repeat(500)}`,
      'Other name.md': { body: 'x', facts: { aliases: ['Creme Brulee (Wolf)', 'else'] } },
      'Wolf wolf wolf creme brulee.md': 'creme brulee wolf creme brulee wolf',
      'Creme.md': 'brulee wolf',
    };
    const { items } = await searched(notes, q.words('creme BRULEE wolf'));
    const names = items.map(({ path }) => path);
    expect(names.slice(0, 2)).toEqual(['Crème brûlée, wolf.md', 'Other name.md']);
    expect(names.at(-1)).toBe('Wolf.md');
    await check(notes, q.words('ＷＯＬＦ'), [
      'Wolf',
      'Wolf wolf wolf creme brulee',
      'Other name',
      'Crème brûlée, wolf',
      'Creme',
    ]);
  });

  it('prefers words in a row, then equal ones by path', async () => {
    const notes: Notes = {
      ...filler,
      'a.md': 'night xx yy zz sky blue',
      'b.md': 'xx night sky yy zz blue',
      'c.md': 'night xx yy zz sky blue',
    };
    await check(notes, q.words('night sky'), ['b', 'a', 'c']);
  });

  it('is the same page by page', async () => {
    const store = await searchedVault({ ...filler, 'Lorem.md': 'lorem' });
    const whole = await foundPaths(store, q.words('lorem'));
    const paged: string[] = [];
    for (let offset = 0; offset < 30; offset += 4) {
      const page = await store.search(wholeVault, q.words('lorem'), { limit: 4, offset });
      paged.push(...page.items.map(({ path }) => path));
    }
    expect(paged).toEqual(whole);
    expect(whole).toHaveLength(21);
    await store.close();
  });
});

describe('forms of a word', () => {
  const rows: readonly [query: string, exact: string, forms: readonly string[]][] = [
    ['заметки', 'мои заметки', ['заметка', 'заметками']],
    ['ёлка', 'большая елка', ['ёлки', 'ёлку']],
    ['running', 'a running dog', ['runs']],
    ['stories', 'two stories', ['story']],
    ['مدرسة', 'في مدرسة', ['المدرسة', 'والمدرسه']],
  ];
  it.each(rows)('%s is found in %j, and at lower weight in %j', async (query, exact, forms) => {
    const notes: Record<string, string> = { ...filler, 'z.md': exact };
    forms.forEach((form, at) => {
      notes[`a${at}.md`] = `${form} x`;
    });
    const expected = ['z', ...forms.map((_, at) => `a${at}`)];
    const { items, alternatives } = await searched(notes, q.all(q.word(query)));
    const found = items.map(({ path }) => path.replace(/\.md$/, ''));
    expect(found[0]).toBe('z');
    expect([...found].sort()).toEqual([...expected].sort());
    expect(alternatives.map(({ as }) => as)).toEqual(['form']);
    await check(notes, q.quoted(query), ['z']);
  });

  it('of German are found in a vault that has German notes', async () => {
    const german = {
      'Heim.md': 'ein haus',
      'Viele.md': 'alte Häuser',
      'b.md': 'der Hund ist nicht und der',
      'c.md': 'die Katze und der Hund ist nicht',
    };
    await check({ ...filler, ...german }, q.all(q.word('Häuser')), ['Viele', 'Heim']);
    const { 'b.md': _, 'c.md': __, ...few } = german;
    await check({ ...filler, ...few }, q.all(q.word('Häuser')), ['Viele']);
  });

  it('in a title are worth more than the word itself in a text', async () => {
    const notes = { ...filler, 'My stories.md': 'x', 'z.md': `a story ${'x '.repeat(20)}` };
    await check(notes, q.all(q.word('story')), ['My stories', 'z']);
  });

  it('make a rare form no better than the common word', async () => {
    const common = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`n${at}.md`, 'a garden here']),
    );
    const notes: Notes = { ...filler, ...common, 'a.md': 'a gardens here' };
    const { items } = await searched(notes, q.all(q.word('garden')));
    expect(items.at(-1)?.path).toBe('a.md');
    expect(items).toHaveLength(9);
  });
});

describe('the last word', () => {
  it('is a beginning, too, which counts less', async () => {
    const notes: Notes = {
      ...filler,
      'a.md': 'gardening tips',
      'z.md': 'gard tips',
      'b.md': 'guard tips',
    };
    const { alternatives } = await check(notes, q.words('tips gard'), ['z', 'a']);
    expect(alternatives).toEqual([{ word: 'gard', as: 'beginning', words: ['gardening'] }]);
    await check(notes, q.all(q.word('gard'), q.word('tips')), ['z']);
  });
});

describe('misspelled words', () => {
  const notes: Notes = {
    ...filler,
    'a.md': 'photosynthesis of a plant',
    'b.md': 'mitochondria of an animal',
    'c.md': 'программирование на языке',
    'd.md': 'planet earth, and no 2024',
  };
  const rows: readonly [query: string, found: readonly string[], words: readonly string[]][] = [
    ['photosinthesis', ['a'], ['photosynthesis']],
    ['fotosynthesis', ['a'], ['photosynthesis']],
    ['mitohcondria', ['b'], ['mitochondria']],
    ['xmitochondria', ['b'], ['mitochondria']],
    ['програмированее', ['c'], ['программирование']],
    ['eatrh', ['d'], ['earth']],
    ['photosinthesis plnat', ['a'], ['photosynthesis', 'plant']],
    ['mitochondria anmial', ['b'], ['animal']],
    ['aerths', [], []],
    ['2025', [], []],
    ['plx', [], []],
  ];
  it.each(rows)('%s finds %j by %j', async (query, found, words) => {
    const { alternatives, whole } = await check(notes, q.words(query), found);
    const typos = alternatives.filter(({ as }) => as === 'typo');
    expect(typos.flatMap((one) => one.words)).toEqual(words);
    expect(whole).toBeUndefined();
  });

  it('find what the right word finds: its forms, and longer words at the end of a query', async () => {
    const forms: Notes = {
      ...filler,
      'a.md': 'hydrograph',
      'b.md': 'hydrographs',
      'c.md': 'hydrographer',
      'd.md': 'unit hydrographs',
    };
    for (const [wrong, right] of [
      ['hydrogrpah', 'hydrograph'],
      ['unit hydrogrpah', 'unit hydrograph'],
      ['hydrogrpahs unit', 'hydrographs unit'],
    ] as const) {
      const { items } = await searched(forms, q.words(right));
      const { items: instead, alternatives } = await searched(forms, q.words(wrong));
      const pathsOf = (rows: typeof items) => rows.map(({ path }) => path).sort();
      expect(items.length).toBeGreaterThan(0);
      expect(pathsOf(instead)).toEqual(pathsOf(items));
      const typos = alternatives.filter(({ as }) => as === 'typo').flatMap(({ words }) => words);
      expect(typos).toEqual([right.split(' ').find((word) => word.startsWith('hydro'))]);
    }
  });

  it('are corrected only where nothing else is found, and never in quotes', async () => {
    const { alternatives } = await check({ ...notes, 'e.md': 'plent' }, q.words('plent'), ['e']);
    expect(alternatives).toEqual([]);
    await check(notes, q.quoted('photosinthesis'), []);
  });

  it('are corrected, too, where the word exists but not with the others', async () => {
    const both: Notes = { ...notes, 'e.md': 'plent' };
    await check(both, q.words('photosynthesis plent'), ['a']);
  });

  it('prefer fewer mistakes, then the word that more notes have', async () => {
    const near: Notes = {
      ...filler,
      'a.md': 'hause',
      'b.md': 'house',
      'c.md': 'house',
      'd.md': 'horses',
    };
    const { alternatives } = await searched(near, q.words('hxuse'));
    expect(alternatives[0]?.words).toEqual(['house', 'hause']);
  });

  it('are compared with words that have come since', async () => {
    const store = await searchedVault({ 'a.md': 'something' });
    expect(await foundPaths(store, q.words('elefant'))).toEqual([]);
    await store.putNotes(packNotes([note('b.md')]));
    await store.putTexts(packTexts([text('b.md', 'elephants elephant')]));
    expect(await foundPaths(store, q.words('elehpant'))).toEqual(['b.md']);
    await store.forget([note('b.md').path]);
    expect(await foundPaths(store, q.words('elehpant'))).toEqual([]);
    await store.close();
  });
});

describe('when nothing has all of it', () => {
  const notes: Notes = {
    ...filler,
    'two.md': 'gamma alpha',
    'one.md': 'alpha',
    'rare.md': 'beta lorem',
    'another.md': 'alpha',
  };
  it('finds what has most of it, rare words first, and says so', async () => {
    const query = q.all(...['alpha', 'beta', 'gamma', 'delta9'].map(q.word));
    const { whole } = await check(notes, query, ['two', 'rare', 'another', 'one']);
    expect(whole).toBe(0);
  });

  it('does not count words that nearly every note has, and holds to the rest of the query', async () => {
    await check(notes, q.all(...['lorem', 'beta', 'gamma'].map(q.word)), ['rare', 'two']);
    const without = q.all(q.word('alpha'), q.word('beta'), q.not(q.word('gamma')));
    await check(notes, without, ['rare', 'another', 'one']);
  });

  it('takes Chinese apart, and quoted words not', async () => {
    const chinese: Notes = { ...filler, 'a.md': '我喜欢读书', 'b.md': '他不喜欢', 'c.md': '读书' };
    const { whole } = await check(chinese, q.words('喜欢学习读书'), ['a', 'c', 'b']);
    expect(whole).toBe(0);
    await check(chinese, q.words('他 学习 欢'), ['b', 'a']);
    await check(chinese, q.quoted('喜欢学习读书'), []);
    await check(chinese, q.quoted('ipsum lorem'), []);
  });
});

describe('many words', () => {
  const notes: Notes = {
    ...filler,
    'long.md': `alpha ${'word '.repeat(900)} beta ${'word '.repeat(900)} gamma`,
    'two.md': 'alpha beta',
    'one.md': 'gamma',
    'all.md': 'alpha, beta and gamma',
  };
  it('find notes that have most of them before a long one that has all, and count them all', async () => {
    const query = q.words('alpha beta gamma');
    const { total, whole } = await check(notes, query, ['all', 'two', 'one', 'long']);
    expect([total, whole]).toEqual([4, 2]);
    const store = await searchedVault(notes);
    for (const [offset, path] of ['all.md', 'two.md', 'one.md', 'long.md'].entries()) {
      const page = await store.search(wholeVault, query, { limit: 1, offset });
      expect([page.items.map((item) => item.path), page.total]).toEqual([[path], 4]);
    }
    await store.close();
  });

  it('count by their rarity, so that a rare word says more than frequent ones', async () => {
    const common: Notes = {
      ...notes,
      ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}.md`, 'alpha beta'])),
      'rare.md': 'quetzal',
    };
    const { items } = await searched(common, q.words('alpha beta quetzal'));
    expect(items[0]?.path).toBe('rare.md');
  });

  it('find a title although it has a word that nearly every note has', async () => {
    const titled: Notes = { ...notes, 'gamma lorem alpha.md': 'x', 'y.md': 'gamma alpha gamma' };
    const { items } = await searched(titled, q.words('gamma lorem alpha'));
    expect(items[0]?.path).toBe('gamma lorem alpha.md');
  });

  it('are corrected where no note has one of them', async () => {
    const { items, alternatives } = await searched(notes, q.words('alhpa beta gamma'));
    expect(items[0]?.path).toBe('all.md');
    expect(alternatives).toMatchObject([{ word: 'alhpa', as: 'typo', words: ['alpha'] }]);
  });

  it('keeps to what was asked where that is two words, a phrase, or more than words', async () => {
    await check(notes, q.words('alpha gamma'), ['all', 'long']);
    await check(notes, q.quoted('alpha beta and gamma'), ['all']);
    const three = ['alpha', 'beta', 'gamma'].map(q.word);
    await check(notes, q.all(...three, q.not(q.word('absent'))), ['all', 'long']);
    await check(notes, q.all(...three.slice(0, 2), q.quoted('gamma')), ['all', 'long']);
  });
});

describe('words that are joined or split', () => {
  const notes: Notes = {
    ...filler,
    'joined.md': 'a braincache at work',
    'split.md': 'the movie blade runner',
    'hyphen.md': 'a pop-out window',
    'both.md': 'a brain without a cache',
  };
  const rows: readonly [query: string, found: readonly string[]][] = [
    ['brain cache', ['both', 'joined']],
    ['bladerunner', ['split']],
    ['popout', ['hyphen']],
    ['brain-cache', ['joined']],
  ];
  it.each(rows)('%s finds %j', async (query, found) => {
    await check(notes, q.words(query), found);
  });

  it('are taken as they are in quotes', async () => {
    await check(notes, q.all(q.quoted('brain'), q.quoted('cache')), ['both']);
    await check(notes, q.quoted('bladerunner'), []);
  });
});

describe('a title by other words than those of the query', () => {
  const notes: Notes = {
    ...filler,
    'Virial Theorem.md': `nothing ${'word '.repeat(300)}`,
    'a.md': 'virial theorem virial theorem virial theorems',
    'Theorem, virial, and more.md': 'virial theorem',
  };
  it.each(['virial theroem', 'virial theorems', 'virial theo'])('%s', async (query) => {
    const { items } = await searched(notes, q.words(query));
    expect(items[0]?.path).toBe('Virial Theorem.md');
    expect(items).toHaveLength(3);
  });
});

describe('scripts', () => {
  const notes: Notes = {
    ...filler,
    'zh.md': '我在北京大学学习汉语',
    'ja.md': 'ｶﾀｶﾅとひらがなを勉強する',
    'ko.md': '학교에서 한국어를 공부합니다',
    'ar.md': 'ذهبَ أحمدُ إلى المستشفى',
    'he.md': 'שָׁלוֹם עולם',
    'de.md': 'Straße in München',
  };
  const rows: readonly [query: string, found: string][] = [
    ['北京', 'zh'],
    ['大学学习', 'zh'],
    ['京', 'zh'],
    ['カタカナ', 'ja'],
    ['勉強', 'ja'],
    ['학교', 'ko'],
    ['한국어', 'ko'],
    ['احمد', 'ar'],
    ['مستشفي', 'ar'],
    ['שלום', 'he'],
    ['strasse', 'de'],
    ['MUNCHEN', 'de'],
  ];
  it.each(rows)('%s finds %s', async (query, found) => {
    const { whole } = await check(notes, q.words(query), [found]);
    expect(whole).toBeUndefined();
  });
});
