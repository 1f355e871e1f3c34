import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it.each([
    ['plain', 'plain'],
    ['<script>', '&lt;script&gt;'],
    ['"\'&', '&quot;&#39;&amp;'],
    ['&lt;', '&amp;lt;'],
    [7, '7'],
    [0, '0'],
    ['', ''],
    [false, ''],
    [undefined, ''],
    [[], ''],
    [['<', html`<b>`, ['>', undefined]], '&lt;<b>&gt;'],
    [html`<i title="${'"'}">`, '<i title="&quot;">'],
  ] as const)('writes %j as %s', (value, expected) => {
    expect(html`[${value}]`.text).toBe(`[${expected}]`);
  });

  it('keeps the text around values as it is written', () => {
    expect(html`<a>${'1'}<b>${'2'}</b>`.text).toBe('<a>1<b>2</b>');
  });
});
