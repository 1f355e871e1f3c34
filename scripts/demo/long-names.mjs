// Names that are longer than any page has room for, and a client that uses them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder =
  'Archive of everything that was ever thought about rivers and floods/Letters to the board, sent and unsent, with their answers';
const longName = `${'A letter that never seems to end about the level of the river at the mill, and '.repeat(2)}more`;
const names = [
  longName,
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsentwurfsbesprechungsprotokoll',
  '川の水位について毎年書き直している終わらない手紙の下書きと理事会からの返事をまとめた長い名前のノート',
];

/** The path of a note with a long name. */
export const longNote = `${folder}/${longName}.md`;

/** Writes notes with long names, long headings, long lines and long tags into a vault. */
export function writeLongNames(vault) {
  mkdirSync(join(vault, folder), { recursive: true });
  const write = (path, text) => writeFileSync(join(vault, path), text);
  for (const name of names) {
    const text = [
      '---',
      'tags:',
      `  - rivers/${'floods-and-what-came-of-them/'.repeat(4)}letters`,
      `${'a_property_with_a_long_name_'.repeat(3)}: ${'https://example.org/a/long/address/'.repeat(5)}`,
      '---',
      `# ${name}`,
      '',
      `${'The river keeps no calendar, but it keeps every appointment. '.repeat(12)}`,
      '',
      `## ${'A heading that goes on and on '.repeat(5)}`,
      '',
      `See [[${names[0]}]] and [[Flood map]]. ${'unbroken'.repeat(40)}`,
      '',
    ];
    write(`${folder}/${name}.md`, text.join('\n'));
  }
  for (let number = 1; number <= 60; number += 1) {
    write(`${folder}/${number} ${names[number % 3].slice(0, 60)}.md`, `# ${number}\n\n[[Home]]\n`);
  }
}

const client = {
  name: 'An agent whose name is longer than anybody would want to read in a list of sessions',
  version: '2026.11.17-nightly.1794928918860+linux.x64',
};

/** A day of the client with the long name: the same shape as `demoDay`. */
export const longDay = [
  {
    client,
    token: {
      name: 'A token for the agent that tidies the archive at night',
      flags: ['--tools', 'notes'],
    },
    calls: [
      ['read_note', { path: longNote }],
      ['append_note', { name: 'Sourdough', text: '\n4. Let it cool before you cut it.\n' }],
      ['rename_note', { old_name: names[1], new_name: `${names[1].slice(0, 60)}, zweite Fassung` }],
      [
        'replace_note',
        {
          path: longNote,
          old_text: 'unbroken'.repeat(40),
          new_text: `${'unbroken'.repeat(20)}broken${'unbroken'.repeat(20)}`,
        },
      ],
      ['delete_note', { path: `${folder}/3 ${names[0].slice(0, 60)}.md` }],
      ['delete_note', { path: `${folder}/6 ${names[0].slice(0, 60)}.md` }],
      ['delete_note', { path: `${folder}/9 ${names[0].slice(0, 60)}.md` }],
    ],
    asks: ['delete_note', { path: longNote }],
  },
  {
    client,
    token: { name: 'proposals of the night', flags: ['--tools', 'notes', '--propose'] },
    calls: [['rename_note', { old_name: names[2], new_name: `${folder}/${names[2]}、改訂版` }]],
  },
];
