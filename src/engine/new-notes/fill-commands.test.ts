import moment from 'moment';
import { describe, expect, it } from 'vitest';
import { vaultPath } from '../../base/vault-path.ts';
import { fillTemplate } from './fill-template.ts';

const nowMs = new Date(2026, 10, 17, 9, 5).getTime();
const values = {
  template: vaultPath('T/Day.md'),
  title: '2026-11-20',
  folder: vaultPath('Journal/Days'),
  timeMs: new Date(2026, 10, 20, 9, 5).getTime(),
  nowMs,
  createdMs: new Date(2020, 1, 2, 3, 4).getTime(),
  modifiedMs: new Date(2021, 1, 2, 3, 4).getTime(),
  dateFormat: 'YYYY-MM-DD',
  timeFormat: 'HH:mm',
};
const fill = (text: string, more = {}) => fillTemplate(text, { ...values, ...more });
const now = () => moment(nowMs);

describe('the commands of Templater', () => {
  it.each<[string, string]>([
    ['tp.date.now()', '2026-11-17'],
    ['tp.date.now("dddd, D MMMM YYYY [at] HH:mm")', 'Tuesday, 17 November 2026 at 09:05'],
    ['tp.date.now("YYYY-MM-DD", -7)', '2026-11-10'],
    ["tp.date.now('YYYY-MM-DD', 'P1M')", '2026-12-17'],
    ['tp.date.now("YYYY-MM-DD", "P-1Y")', now().add(moment.duration('P-1Y')).format('YYYY-MM-DD')],
    ['tp.date.now("YYYY-MM-DD", 1, tp.file.title)', '2026-11-21'],
    ['tp.date.now("YYYY-MM-DD", 1, tp.file.title, "YYYY-MM-DD")', '2026-11-21'],
    ['tp.date.now("ddd", 0, "1.2.26", "D.M.YY")', moment('1.2.26', 'D.M.YY').format('ddd')],
    ['tp.date.now("HH:mm", undefined, "2026-11-17T10:30")', '10:30'],
    ['tp.date.now("HH:mm:ss", 0, "2026-11-17 10:30:45")', '10:30:45'],
    ['tp.date.now(`YYYY`)', '2026'],
    ['tp.date.now("[\\"it\\"] YYYY")', '"it" 2026'],
    ['tp.date.tomorrow("DD.MM.")', '18.11.'],
    ['tp.date.yesterday()', '2026-11-16'],
    ['tp.date.weekday("YYYY-MM-DD", 1)', now().weekday(1).format('YYYY-MM-DD')],
    ['tp.date.weekday("YYYY-MM-DD", -7)', now().weekday(-7).format('YYYY-MM-DD')],
    [
      'tp.date.weekday("YYYY-MM-DD", 0, "2026-W47", "gggg-[W]ww")',
      moment('2026-W47', 'gggg-[W]ww').weekday(0).format('YYYY-MM-DD'),
    ],
    ['tp.file.title', '2026-11-20'],
    ['tp.file.folder()', 'Days'],
    ['tp.file.folder(true)', 'Journal/Days'],
    ['tp.file.cursor()', ''],
    ['tp.file.cursor(2)', ''],
    ['tp.file.creation_date()', '2020-02-02 03:04'],
    ['tp.file.last_modified_date("YYYY")', '2021'],
    ['tp.date.now("{{date:YYYY}}[!]")', '2026!'],
  ])('fill in %s', (command, expected) => {
    expect(fill(`<% ${command} %>`)).toBe(expected);
    expect(fill(`a <%${command}%> {{title}}`)).toBe(`a ${expected} 2026-11-20`);
  });

  it('does not search a value for commands or placeholders', () => {
    const title = '{{date}} <% tp.file.title %>';
    expect(fill('<% tp.file.title %>|{{title}}', { title })).toBe(`${title}|${title}`);
  });

  it('knows a folder at the top', () => {
    expect(fill('<% tp.file.folder() %>|<% tp.file.folder(true) %>', { folder: '' })).toBe('|/');
  });

  it('stay where the title is not known yet', () => {
    const text =
      '<% tp.file.title %> <% tp.date.now("YYYY", 0, tp.file.title) %> <% tp.file.folder() %> ';
    const preview = { title: undefined, folder: undefined };
    expect(fill(`${text}<% tp.date.now("YYYY") %>`, preview)).toBe(`${text}2026`);
  });

  it.each<[string, string]>([
    ['a\n\n<%- tp.file.title -%>\n\nb', 'a\n2026-11-20\nb'],
    ['a\r\n<%- tp.file.title -%>\r\nb', 'a2026-11-20b'],
    ['a \n \n<%_ tp.file.title _%> \n\n b', 'a2026-11-20b'],
    ['a\n <%- tp.file.title -%> \nb', 'a\n 2026-11-20 \nb'],
    ['<% tp.file.cursor() -%>\n<%- tp.file.title %>', '2026-11-20'],
    ['- <% tp.file.cursor(1) %>\n- <% tp.file.cursor(2) _%>\n\n', '- \n- '],
  ])('trim the text around them as Templater does: %j', (text, expected) => {
    expect(fill(text)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['<%* let a = 1 %>', '<%* … %>', 'JavaScript'],
    ['<%-* tR += "x" -%>', '<%* … %>', 'JavaScript'],
    ['<%+ tp.file.title %>', '<%+ … %>', 'JavaScript'],
    ['<% tp.system.prompt("Name?") %>', 'tp.system.prompt', 'not one'],
    ['<% tp.user.mine() %>', 'tp.user.mine', 'not one'],
    ['<% await tp.file.include("[[A]]") %>', 'tp.file.include', 'not one'],
    ['<% await tp.system.prompt("q") %>', 'tp.system.prompt', 'not one'],
    ['<% tp.date.today() %>', 'tp.date.today', 'not one'],
    ['<% tp.date.now("YYYY" %>', 'tp.date.now', 'not written correctly'],
    ['<% tp.file.title.toUpperCase() %>', 'tp.file.title.toUpperCase', 'not one'],
    ['<% tp.date.now("YYYY").slice(2) %>', 'tp.date.now', 'plain values'],
    ['<% tp.date.now(format) %>', 'tp.date.now', 'plain values'],
    ['<% tp.date.now("YYYY" + "-MM") %>', 'tp.date.now', 'plain values'],
    [`<% tp.date.now(\`\${1}\`) %>`, 'tp.date.now', 'plain values'],
    ['<% tp.date.now("YYYY %>', 'tp.date.now', 'plain values'],
    ['<% tp.date.now("\\u0041") %>', 'tp.date.now', 'plain values'],
    ['<% tp.date.now(eval("1")) %>', 'tp.date.now', 'plain values'],
    ['<% tp.date.now %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.now("YYYY", 1.5) %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.now("YYYY", "soon") %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.now("YYYY", 0, "someday") %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.now("YYYY", 0, "2026", "Q") %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.now("YYYY", 9999999999999) %>', 'tp.date.now', 'do not fit'],
    ['<% tp.date.weekday("YYYY") %>', 'tp.date.weekday', 'do not fit'],
    ['<% tp.file.title() %>', 'tp.file.title', 'do not fit'],
    ['<% "text" %>', '<% … %>', 'not one'],
    ['<%%>', '<% … %>', 'not one'],
    ['<% tp.file.title', 'tp.file.title', 'not closed'],
  ])('are refused by name and line: %s', (command, name, problem) => {
    const text = `---\na: <% tp.date.now(\n) %>\n---\n${command}`;
    expect(() => fill(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringMatching(
          new RegExp(`^Line 5 of the template "T/Day.md".*${problem}`),
        ),
        details: { path: 'T/Day.md', line: 5, command: name },
      }) as Error,
    );
  });

  it('cost no more than their length', () => {
    const many = 200_000;
    expect(fill('<% tp.file.title %>'.repeat(many))).toBe('2026-11-20'.repeat(many));
    expect(() => fill(`<% tp.date.now(${'"" ,'.repeat(many)}`)).toThrow('not closed');
    expect(() => fill(`<% tp.date.now(${' '.repeat(many)}%>`)).toThrow('plain values');
    expect(() => fill('<%'.repeat(many))).toThrow('not closed');
    expect(fill('{{date:'.repeat(many))).toHaveLength(7 * many);
  });
});
