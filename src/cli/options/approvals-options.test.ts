import { expect, it } from 'vitest';
import { readApprovalsOptions } from './approvals-options.ts';

it.each<[string[], object]>([
  [[], { action: 'list', all: false }],
  [['--all', '--vault', 'a', '--json'], { action: 'list', all: true, vault: 'a', json: true }],
  [['list'], { action: 'list', all: false }],
  [['show', 'q7'], { action: 'show', id: 'q7' }],
  [['allow', 'q7'], { action: 'allow', ids: ['q7'], session: false }],
  [['allow', '--session', 'q7'], { action: 'allow', ids: ['q7'], session: true }],
  [['allow', 'q7', 'q8'], { action: 'allow', ids: ['q7', 'q8'], session: false }],
  [['deny', 'q7'], { action: 'deny', ids: ['q7'], undo: false }],
  [
    ['deny', 'q7', '--undo', '--reason', 'Why?'],
    { action: 'deny', ids: ['q7'], undo: true, reason: 'Why?' },
  ],
])('%j', (argv, words) => {
  expect(readApprovalsOptions(argv)).toEqual({ json: false, ...words });
});

it.each<[string[], string]>([
  [['approve', 'q7'], '"approvals" may be followed by list, show, allow or deny.'],
  [['list', 'q7'], '"approvals list" takes options only.'],
  [['allow'], '"approvals allow" needs the id of a question, such as q7.'],
  [['show', 'q7', 'q8'], '"approvals show" takes one question.'],
  [['allow', 'q7', '--undo'], '"--undo" is for "approvals deny".'],
  [['show', 'q7', '--reason', 'x'], '"--reason" is for "approvals deny".'],
  [['deny', 'q7', '--session'], '"--session" is for "approvals allow".'],
  [['deny', 'q7', '--reason'], '"--reason" needs a value.'],
  [['--every'], 'There is no option "--every".'],
])('%j is refused', (argv, message) => {
  const more = ' "vaultdoor approvals --help" lists the options.';
  expect(() => readApprovalsOptions(argv)).toThrow(message + more);
});
