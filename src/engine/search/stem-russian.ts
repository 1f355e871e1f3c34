/**
 * The stem that the forms of a Russian word share, by Snowball's Russian stemmer. Words are already
 * folded, so none has a "ё". Other languages in Cyrillic have similar endings.
 */
export function stemRussian(word: string): string {
  // Only what follows the first vowel can be an ending.
  const first = /^[^аеиоуыэюя]*[аеиоуыэюя]/.exec(word)?.[0].length;
  if (first === undefined) return word;
  const start = word.slice(0, first);
  let rest = word.slice(first);
  const gerund = rest.replace(perfectiveGerund, '');
  if (gerund === rest) {
    rest = rest.replace(/(ся|сь)$/, '');
    const adjective = rest.replace(adjectival, '');
    if (adjective !== rest) rest = adjective.replace(participle, '');
    else {
      const verb = rest.replace(verbal, '');
      rest = verb !== rest ? verb : rest.replace(noun, '');
    }
  } else rest = gerund;
  rest = rest.replace(/и$/, '');
  // The part after the second group of vowels and consonants.
  const second = /^(.*?[аеиоуыэюя][^аеиоуыэюя].*?[аеиоуыэюя][^аеиоуыэюя])/.exec(start + rest);
  const derivation = /(ост|ость)$/.exec(start + rest);
  if (second !== null && derivation !== null && derivation.index >= second[0].length) {
    rest = (start + rest).slice(first, derivation.index);
  }
  if (/нн$/.test(rest)) return start + rest.slice(0, -1);
  const positive = rest.replace(/(ейш|ейше)$/, '');
  if (positive !== rest) return start + positive.replace(/нн$/, 'н');
  return start + rest.replace(/ь$/, '');
}

const perfectiveGerund = /((?<=[ая])(вшись|вши|в)|ывшись|ившись|ывши|ивши|ыв|ив)$/;
const adjectival =
  /(ими|ыми|его|ого|ему|ому|ее|ие|ые|ое|ей|ий|ый|ой|ем|им|ым|ом|их|ых|ую|юю|ая|яя|ою|ею)$/;
const participle = /((?<=[ая])(ем|нн|вш|ющ|щ)|ивш|ывш|ующ)$/;
const verbal = new RegExp(
  [
    '((?<=[ая])(ете|йте|ешь|нно|ла|на|ли|ем|ло|но|ет|ют|ны|ть|й|л|н)',
    'уйте|ейте|ила|ыла|ена|ите|или|ыли|ило|ыло|ено|ует|уют|ены|ить|ыть|ишь',
    'ей|уй|ил|ыл|им|ым|ен|ят|ит|ыт|ую|ю)$',
  ].join('|'),
);
const noun = new RegExp(
  [
    '(иями|иях|ями|ами|ией|иям|ием|ах|ях|ев|ов|ие|ье|еи|ии|ей|ой|ий|ям|ем|ам|ом',
    'ию|ью|ия|ья|а|е|и|й|о|у|ы|ь|ю|я)$',
  ].join('|'),
);
