import { describe, expect, it } from 'vitest';
import { stemArabic } from './stem-arabic.ts';
import { stemEnglish } from './stem-english.ts';
import { lightLanguages } from './stem-light.ts';
import { stemRussian } from './stem-russian.ts';
import { wordForms } from './word-forms.ts';

/** Rows of words that share the stem at their beginning. */
function check(stem: (word: string) => string, rows: string): void {
  for (const row of rows.trim().split('\n')) {
    const [expected = '', ...words] = row.trim().split(/[: ]+/);
    for (const word of words) expect(`${word} → ${stem(word)}`).toBe(`${word} → ${expected}`);
  }
}

describe('stemEnglish', () => {
  it('answers as the published sample of Snowball has it', () => {
    check(
      stemEnglish,
      `consign: consign consigned consigning consignment
       consist: consist consisted consistency consistent consistently consisting consists
       consol: consolation consolations console consoled consoles consoling
       consolatori: consolatory
       consolid: consolidate consolidated consolidating
       consol: consolingly
       consort: consort consorted consorting
       conspicu: conspicuous conspicuously
       conspir: conspirator conspirators conspire conspired conspiring
       constabl: constable constables
       constanc: constance
       constanc: constancy
       constant: constant
       knack: knack
       knacker: knackers
       knavish: knavish
       knead: kneaded kneading
       knee: knee`,
    );
  });

  it('joins plurals, tenses and derived words, and leaves what is none', () => {
    check(
      stemEnglish,
      `run: run runs running
       hope: hope hopes hoped hoping
       hop: hop hops hopping hopped
       tri: try tries tried trying
       note: note notes noted noting
       happi: happy happiness
       generat: generate generation generator
       communiti: community communities
       news: news
       gas: gas
       this: this
       proceed: proceed proceeds
       sky: sky skies
       die: die dies dying`,
    );
  });
});

describe('stemRussian', () => {
  it('answers as the published sample of Snowball has it', () => {
    check(
      stemRussian,
      `в: в
       вавиловк: вавиловка
       вагнер: вагнера
       вагон: вагон вагона вагоне вагонов вагоном вагоны
       важн: важная важнее важнейшие важнейшими важно важного важное важной важном важному важною
       важност: важности важность важностью
       важнича: важничал
       павильон: павильон павильонам
       павлиновн: павлиновна павлиновне павлиновны
       пада: падает падай падал падала падать падаю падают
       падал: падаль`,
    );
  });

  it('joins the cases of a noun and the forms of a verb', () => {
    check(
      stemRussian,
      `заметк: заметка заметки заметку заметками заметке
       книг: книга книги книгу книгой книгам
       чита: читать читает читаю читал читали читающий`,
    );
  });
});

describe('light stems', () => {
  it('have the article and the endings of Arabic aside', () => {
    check(stemArabic, 'مدرس: مدرسه المدرسه والمدرسه مدرسات\nكتاب: كتاب الكتاب بالكتاب كتابها');
  });

  it('join forms in German, French, Spanish, Italian, Swedish and Polish', () => {
    const same = (mark: string, words: string): void => {
      const language = lightLanguages.find(({ marks }) => marks.includes(mark));
      const stems = words.split(' ').map((word) => language?.stem(word));
      expect(new Set(stems).size, words).toBe(1);
    };
    same('und', 'haus hauser hausern hauses');
    same('und', 'lernen lernt lernte lernst');
    same('und', 'vorlesung vorlesungen');
    same('und', 'karte karten');
    same('les', 'cheval chevaux');
    same('les', 'manger mange mangez mangent');
    same('los', 'gato gatos gata gatas');
    same('che', 'libro libri');
    same('och', 'hundar hundarna hunden');
    same('nie', 'notatka notatki notatke');
  });
});

describe('wordForms', () => {
  it('looks for forms where they begin as the word does, and tells them', () => {
    const forms = wordForms('notes', []);
    expect(forms?.beginnings).toEqual(['not']);
    expect(['note', 'noting', 'notes', 'notebook'].map((word) => forms?.isForm(word))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('looks in front of what changes in a form', () => {
    expect(wordForms('stories', [])?.beginnings).toEqual(['stor']);
    expect(wordForms('hopes', [])?.beginnings).toEqual(['hop']);
  });

  it('uses the rules of a language only where it is asked for', () => {
    const german = lightLanguages.filter(({ marks }) => marks.includes('und'));
    expect(wordForms('hauser', [])?.isForm('haus')).toBe(false);
    expect(wordForms('hauser', german)?.isForm('haus')).toBe(true);
  });

  it('has none for numbers, short words and scripts it does not know', () => {
    expect(['2024', 'ab', '学生', 'a1b2', 'हिन्दी', ''].map((word) => wordForms(word, []))).toEqual(
      new Array(6).fill(undefined),
    );
  });
});
