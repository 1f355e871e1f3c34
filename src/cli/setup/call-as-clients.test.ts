import { expect, it } from 'vitest';
import { canReadText } from './call-as-clients.ts';

const decided = { vault: { name: 'Notes', path: '/n' }, allow: 'change' } as const;
const titles = ['Claude Desktop', 'Cursor'];

it.each([
  [
    { titles, notes: 44 },
    'Claude Desktop and Cursor can read 44 notes in "Notes" and may change them.',
  ],
  [
    { titles, notes: 44, others: [{ title: 'Cursor', notes: 40 }] },
    'Claude Desktop can read 44 notes in "Notes", Cursor 40 notes; they may change them.',
  ],
])('says how many notes each app can read: %j', (called, text) => {
  expect(canReadText(called, decided)).toBe(text);
});
