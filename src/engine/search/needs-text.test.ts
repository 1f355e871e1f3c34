import { describe, expect, it } from 'vitest';
import { hasAim, needsText } from './needs-text.ts';
import { parseQuery } from './parse-query.ts';

describe('what the index decides', () => {
  const rows: readonly [string, boolean][] = [
    ['apples "pears" -plums OR x', false],
    ['apples "red pears"', true],
    ['-"plums," x', true],
    ['content:(a OR b)', false],
    ['file:.jpg path:"My notes"', false],
    ['tag:a #b [c] [c:d] [c:null] [c:<5] [c:d OR -e]', false],
    ['ignore-case:a', false],
    ['/a/', true],
    ['b -/a/', true],
    ['file:/a/', true],
    ['tag:/a/', true],
    ['[/a/]', true],
    ['[c:d OR -/e/]', true],
    ['content:(a OR line:b)', true],
    ['line:a', true],
    ['block:a', true],
    ['section:a', true],
    ['task:""', true],
    ['match-case:a', true],
    ['"->"', true],
  ];
  it.each(rows)('%s needs the text: %s', (query, expected) => {
    expect(needsText(parseQuery(query))).toBe(expected);
  });
});

describe('what is asked for', () => {
  const rows: readonly [string, boolean][] = [
    ['a', true],
    ['-a b', true],
    ['-a OR b', true],
    ['task:""', true],
    ['[a]', true],
    ['/a/', true],
    ['-a', false],
    ['-(a b) -#c', false],
    ['""', false],
    ['content:""', false],
    ['line:(-a)', false],
    ['***', false],
  ];
  it.each(rows)('%s has something to look for: %s', (query, expected) => {
    expect(hasAim(parseQuery(query))).toBe(expected);
  });
});
