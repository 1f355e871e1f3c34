import { expect, it } from 'vitest';
import { fillTemplate } from './fill-template.ts';

const values = {
  title: 'My {{date}} $& note',
  timeMs: new Date(2023, 0, 1, 9, 5).getTime(),
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
