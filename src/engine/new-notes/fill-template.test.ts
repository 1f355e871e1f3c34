import { expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import { fillTemplate } from './fill-template.ts';

const timeMs = new Date(2023, 0, 1, 9, 5).getTime();
const values = {
  template: vaultPath('T.md'),
  folder: undefined,
  nowMs: timeMs,
  createdMs: timeMs,
  modifiedMs: timeMs,
  title: 'My {{date}} $& note',
  timeMs,
  dateFormat: 'YYYY-MM-DD',
  timeFormat: 'HH:mm',
};

it.each([
  ['D04', '{{date:YYYY}} {{time}} {{title}}', '2023 09:05 My {{date}} $& note'],
  ['usual formats', '{{date}}T{{time}}', '2023-01-01T09:05'],
  ['either takes any format', '{{time:YYYY}} {{date:HH:mm}}', '2023 09:05'],
  [
    'any case, spaces inside',
    '{{DATE}} {{ Time }} {{Title }}',
    '2023-01-01 09:05 My {{date}} $& note',
  ],
  ['literals and braces in a format', '{{date:[week {] W}}', 'week { 52'],
  ['an empty format is the usual one', '{{date:}}', '2023-01-01'],
  ['others stay', '{{name}} {{date+1}} {{title:x}} {{dates}} {date} {{', undefined],
  ['not over lines', '{{date:\nYYYY}}', undefined],
])('fills a template: %s', (_, text, expected = text) => {
  expect(fillTemplate(text, values)).toBe(expected);
});

it('uses the formats of the vault', () => {
  const own = { ...values, dateFormat: 'dddd', timeFormat: 'h A' };
  expect(fillTemplate('{{date}} {{time}}', own)).toBe('Sunday 9 AM');
});

it.each([
  ['{{date}} {{time}} {{title}}', '2023-W01 09:05 W'],
  ['{{monday:YYYY-MM-DD}} {{ Saturday : D.M. }} {{sunday}}', '2023-01-02 7.1. {{sunday}}'],
  ['{{yesterday}} {{tomorrow:YYYY-MM-DD}}', '2022-W53 2023-01-02'],
  ['{{date+1w:ww}} {{date-1m:YYYY-MM}} {{time +3h:HH}} {{date+1q:Q}}', '02 2022-12 12 2'],
  ['{{week}} {{date+1x}} {{date:{}}}', '{{week}} {{date+1x}} {{date:{}}}'],
])('fills a template of the Periodic Notes plugin: %s', (text, expected) => {
  expect(fillTemplate(text, { ...values, title: 'W', periodFormat: 'gggg-[W]ww' })).toBe(expected);
});
