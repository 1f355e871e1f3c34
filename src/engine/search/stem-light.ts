/** A language whose words are cut at their most common endings. */
export interface LightLanguage {
  /**
   * Words that are frequent in this language and rare in others: they show that a vault is in it.
   */
  readonly marks: readonly string[];
  /** The stem of a folded word, which most forms of the word share. */
  readonly stem: (word: string) => string;
}

/**
 * How many letters must be left of a word; with fewer, words of other meanings would share the
 * stem. Endings of a vowel with at most one consonant are the safest, so they need fewer.
 */
function charsLeftMin(ending: string): number {
  return /^[aeiou][^aeiou]?$/.test(ending) ? 3 : 4;
}

function language(marks: string, endings: string): LightLanguage {
  const longestFirst = endings.split(' ').sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return {
    marks: marks.split(' '),
    stem: (word) => {
      const ending = longestFirst.find(
        (one) => word.endsWith(one) && word.length - one.length >= charsLeftMin(one),
      );
      return ending === undefined ? word : word.slice(0, -ending.length);
    },
  };
}

/** Languages in Latin letters other than English. Endings are folded, as the words are. */
export const lightLanguages: readonly LightLanguage[] = [
  // German
  language('und nicht ist der', 'e em en er ern es s n st est t te ten tet test'),
  // French
  language(
    'les une est dans',
    's x e es ee ees er ez ent ons ais ait aient ant ante antes ants al ale aux ales',
  ),
  // Spanish
  language(
    'los una que el',
    `s a o e as os es ar er ir an en ando iendo ado ada ados adas ido ida idos idas amos emos imos
    aba aban aron ieron aria`.replace(/\s+/g, ' '),
  ),
  // Italian
  language(
    'che sono della il',
    'a e i o are ere ire ato ata ati ate ito ita iti ite ando endo ano ono iamo ava avano',
  ),
  // Portuguese
  language(
    'nao uma com os',
    'a o e s as os es ao oes aes ar er ir am em ando endo indo ado ada ados adas ido ida idos idas amos',
  ),
  // Dutch
  language('het een niet van', 'e en s t te ten de den'),
  // Swedish
  language(
    'och att inte det',
    'a e s ar or er en et na n t arna orna erna ade ande at as ens ets ernas',
  ),
  // Norwegian and Danish
  language('og ikke det som', 'a e s en et er ene ens ets ede te ende ene enes t r'),
  // Polish
  language(
    'nie jest sie na',
    'a e i o u y ow ami om ach ie em ego emu ych ich ymi imi ej owi iem ec ac yc al ala ali aly il ila ili',
  ),
];
