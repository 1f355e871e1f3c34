import type { Random } from './random.ts';

export type Script = 'latin' | 'cyrillic' | 'han';

interface Sounds {
  onsets: readonly string[];
  vowels: readonly string[];
  codas: readonly string[];
}

const SOUNDS: Record<Exclude<Script, 'han'>, Sounds> = {
  latin: {
    onsets: ['b', 'c', 'd', 'f', 'g', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'tr', 'ch'],
    vowels: ['a', 'e', 'i', 'o', 'u', 'ea', 'io'],
    codas: ['', '', '', 'n', 'r', 's', 't', 'l', 'ng'],
  },
  cyrillic: {
    onsets: ['б', 'в', 'г', 'д', 'к', 'л', 'м', 'н', 'п', 'р', 'с', 'т', 'ст', 'пр', 'ч', 'з'],
    vowels: ['а', 'е', 'и', 'о', 'у', 'я', 'ы'],
    codas: ['', '', '', 'н', 'р', 'с', 'т', 'л', 'й'],
  },
};

/**
 * The words that make up half of any English text. With them, the full-text index is as large as
 * for real notes.
 */
const COMMON =
  'the of and to in a is that for it as was with be by on not he this are or his from at which but have an they you were her she there been one all we can has more if no their so what up out into when time them some could new then made only over such our most also after must well back way even because here any day same right';

/**
 * Makes up `size` different words. The first ones are the shortest, and meant to be the most
 * frequent.
 */
export function makeVocabulary(script: Script, size: number, random: Random): string[] {
  const words = new Set(script === 'latin' ? COMMON.split(' ') : []);
  while (words.size < size) {
    words.add(script === 'han' ? hanWord(random) : spokenWord(SOUNDS[script], words.size, random));
  }
  return [...words];
}

/**
 * How many different words the first `notes` notes use: it grows with the square root of the text.
 */
export function vocabularySize(notes: number): number {
  return Math.round(2_000 + 150 * Math.sqrt(notes));
}

function spokenWord(sounds: Sounds, rank: number, random: Random): string {
  const syllables = random.between(1, 2) + (rank > 500 ? 1 : 0) + (rank > 10_000 ? 1 : 0);
  let word = '';
  for (let count = 0; count < syllables; count += 1) {
    word += random.pick(sounds.onsets) + random.pick(sounds.vowels);
  }
  return word + random.pick(sounds.codas);
}

// One to three of the 3,000 characters from U+4E00 on. With so many, a pair of characters is rare.
function hanWord(random: Random): string {
  const characters = random.between(1, 3);
  let word = '';
  for (let count = 0; count < characters; count += 1) {
    word += String.fromCharCode(0x4e00 + random.between(0, 2_999));
  }
  return word;
}
