import { expect, it } from 'vitest';
import { clients } from '../install/client-places.ts';
import { serverOf } from '../install/server-entry.ts';
import type { FoundClient } from './found-clients.ts';
import { nextText } from './next-text.ts';

const vault = { name: 'Notes', path: '/home/you/Notes' };
const isMoved = () => false;

/** Claude Code, with an entry that has these flags, or without any. */
function claudeCode(flags?: readonly string[]): FoundClient {
  const entry = { command: 'vaultdoor', args: ['stdio', ...(flags ?? []), '--vault', vault.path] };
  const ours = flags === undefined ? [] : [serverOf('vaultdoor', entry)];
  const id = 'claude-code';
  return { id, client: clients[id], files: [], ours, others: [], local: [], empty: [] };
}

it('takes a new entry out again, and says what to do first', () => {
  const text = nextText(
    { vault, clients: [claudeCode()], allow: 'read', isMoved },
    { isWritten: true },
  );
  expect(text).toContain('Take this back:        vaultdoor setup --undo');
  expect(text.join('\n')).toMatch(
    /What to do now:\n {2}1\. Start a new session.*\n {2}2\. Ask it:/,
  );
  expect(text.join('\n')).not.toContain('Restart');
});

it('names what was allowed before to take a right back, and the restart that it needs', () => {
  const text = nextText(
    { vault, clients: [claudeCode([])], allow: 'read', isMoved },
    { isWritten: true },
  );
  expect(text.slice(1)).toEqual([
    'Take this back:        vaultdoor setup --client claude-code --allow change --vault /home/you/Notes',
    'Take Vaultdoor out:    vaultdoor setup --undo',
    '',
    'Restart Claude Code for this to take effect: until then, what runs already may do what it could before.',
  ]);
});

it('takes nothing back where nothing was written', () => {
  const same = { vault, clients: [claudeCode(['--read-only'])], allow: 'read', isMoved } as const;
  const text = nextText(same, { isWritten: false }).join('\n');
  expect(text).not.toMatch(/Take this back|Restart|What to do/);
});

it('breaks sentences between words, to the width of the terminal', () => {
  const text = nextText(
    { vault, clients: [claudeCode()], allow: 'change', isMoved },
    { isWritten: true, columns: 60 },
  );
  const steps = text.slice(text.indexOf('What to do now:'));
  expect(Math.max(...steps.map(({ length }) => length))).toBeLessThan(60);
  expect(steps.join(' ').replace(/\s+/g, ' ')).toContain('If it asks whether it may use Vaultdoor');
});

it('takes no new entry out where one was corrected, and names it only once', () => {
  const there = { name: 'Home', path: '/home/you/Home' };
  const moved = { vault: there, clients: [claudeCode([])], isMoved: () => true } as const;
  const text = nextText({ ...moved, allow: 'change' }, { isWritten: true }).join('\n');
  expect(text).not.toMatch(/as well|Take this back|What to do/);
  const back = nextText({ ...moved, allow: 'read' }, { isWritten: true }).join('\n');
  expect(back).toContain('--client claude-code --allow change --vault /home/you/Home');
});
