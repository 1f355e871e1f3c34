import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeForJson,
  type JsonNode,
  jsonEntry,
  jsonStringOffsets,
  parseJsonRanges,
} from './json-ranges.ts';

/** The plain value of a node, as `JSON.parse` would give it. */
function plain(node: JsonNode): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
    case 'array':
      return node.items.map(plain);
    default:
      return node.value;
  }
}

function read(text: string): unknown {
  const result = parseJsonRanges(text);
  return 'root' in result ? { value: plain(result.root) } : 'refused';
}

function truth(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'refused';
  }
}

/** Every node's source must itself be JSON of the node's value. */
function checkRanges(text: string, node: JsonNode): void {
  expect(JSON.parse(text.slice(node.range.start, node.range.end))).toEqual(plain(node));
  if (node.type === 'array') for (const item of node.items) checkRanges(text, item);
  if (node.type === 'object') {
    for (const { key, keyRange, value } of node.entries) {
      expect(JSON.parse(text.slice(keyRange.start, keyRange.end))).toBe(key);
      checkRanges(text, value);
    }
  }
}

describe('parseJsonRanges', () => {
  it('reads any JSON as JSON.parse does, each node with its range', () => {
    const indent = fc.constantFrom(undefined, 2, '\t', '\r\n ');
    fc.assert(
      fc.property(fc.jsonValue(), indent, (value, indent) => {
        const text = ` ${JSON.stringify(value, undefined, indent)}\n`;
        expect(read(text)).toEqual(truth(text));
        const result = parseJsonRanges(text);
        if ('root' in result) checkRanges(text, result.root);
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const piece = fc.constantFrom(
      ...'{}[],:"\\/ -+.eE0123456789tfn'.split(''),
      'true',
      'null',
      '"a"',
      '\\u00e9',
      '\n',
      '\u0001',
      '\u00a0',
    );
    const near = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        expect(read(text)).toEqual(truth(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('reads past a byte order mark', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ value: { a: 1 } });
  });

  it('refuses endless nesting and strings without an end', () => {
    expect(read('['.repeat(100_000))).toBe('refused');
    expect(read(`${'['.repeat(200)}${']'.repeat(200)}`)).toBe('refused');
    expect(read(`"${'a'.repeat(100_000)}`)).toBe('refused');
  });

  it('takes the last of two equal keys', () => {
    const result = parseJsonRanges('{"a":1,"a":"x"}');
    const node = 'root' in result ? jsonEntry(result.root, 'a') : undefined;
    expect(node && plain(node)).toBe('x');
  });
});

describe('jsonStringOffsets', () => {
  const written = fc.array(
    fc.constantFrom('a', 'é', '😀', '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude00', '\\/', ' '),
  );
  it('says where every character of the value is written', () => {
    fc.assert(
      fc.property(written, (units) => {
        const text = `  "${units.join('')}" `;
        const range = { start: 2, end: text.length - 1 };
        const value = JSON.parse(text) as string;
        const offsets = jsonStringOffsets(text, range);
        expect(offsets).toHaveLength(value.length + 1);
        expect(offsets.at(-1)).toBe(range.end - 1);
        for (let i = 0; i < value.length; i++) {
          const source = text.slice(offsets[i], offsets[i + 1]);
          expect(JSON.parse(`"${source}"`)).toBe(value[i]);
        }
      }),
    );
  });

  it('escapeForJson gives what stands between the quotes', () => {
    expect(escapeForJson('a"b\\\n')).toBe('a\\"b\\\\\\n');
  });
});
