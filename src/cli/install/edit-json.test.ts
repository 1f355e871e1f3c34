import { array, assert, constantFrom, dictionary, jsonValue, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeJson, setJson } from './edit-json.ts';

const entry = { command: 'node', args: ['a', 'b'] };
const pretty = (indent: string, end = '\n'): string =>
  JSON.stringify(entry, undefined, 2).replaceAll('\n', end + indent);

/** What a text becomes with an entry "v" in its "servers". */
const rows: readonly (readonly [string, string, string])[] = [
  ['an empty object', '{}', `{\n  "servers": {\n    "v": ${pretty('    ')}\n  }\n}`],
  [
    'an empty list of servers',
    '{\n  "servers": {}\n}\n',
    `{\n  "servers": {\n    "v": ${pretty('    ')}\n  }\n}\n`,
  ],
  [
    'other settings',
    '{\n  "a": 1\n}\n',
    `{\n  "a": 1,\n  "servers": {\n    "v": ${pretty('    ')}\n  }\n}\n`,
  ],
  [
    'another server, CRLF and a byte order mark',
    '\ufeff{\r\n  "servers": {\r\n    "o": {}\r\n  }\r\n}',
    `\ufeff{\r\n  "servers": {\r\n    "o": {},\r\n    "v": ${pretty('    ', '\r\n')}\r\n  }\r\n}`,
  ],
  [
    'tabs',
    '{\n\t"servers": {\n\t\t"o": {}\n\t}\n}\n',
    `{\n\t"servers": {\n\t\t"o": {},\n\t\t"v": ${JSON.stringify(entry, undefined, '\t').replaceAll('\n', '\n\t\t')}\n\t}\n}\n`,
  ],
  [
    'one line',
    '{"x":[1,2],"servers":{"o":{"k":"}"}},"y":null}',
    `{"x":[1,2],"servers":{"o":{"k":"}"},"v":${JSON.stringify(entry)}},"y":null}`,
  ],
  [
    'a comment behind the last server',
    '{\n  // mine, "all": of it\n  "servers": {\n    "o": {} // an old one, {\n  }\n}\n',
    `{\n  // mine, "all": of it\n  "servers": {\n    "o": {}, // an old one, {\n    "v": ${pretty('    ')}\n  }\n}\n`,
  ],
  [
    'a last comma',
    '{\n  "servers": {\n    "o": {"u": "http://x//y"}, /* , */\n  },\n}\n',
    `{\n  "servers": {\n    "o": {"u": "http://x//y"}, /* , */\n    "v": ${pretty('    ')},\n  },\n}\n`,
  ],
  [
    'a comment in an empty list',
    '{\n  "servers": { // none\n  }\n}\n',
    `{\n  "servers": { // none\n    "v": ${pretty('    ')}\n  }\n}\n`,
  ],
];

describe('setJson', () => {
  it.each(rows)('adds to %s in its style, and nothing else changes', (_, before, after) => {
    expect(setJson(before, ['servers', 'v'], entry)).toBe(after);
    expect(setJson(after, ['servers', 'v'], entry)).toBe(after);
  });

  it('replaces only the value that differs', () => {
    const text = '{ "v": { "command" : "old", "args": [ "a" ], "off": true } }';
    expect(setJson(text, ['v', 'command'], 'new')).toBe(text.replace('"old"', '"new"'));
    expect(setJson(text, ['v', 'args'], ['a'])).toBe(text);
    expect(setJson('{"v": {"env": null}}', ['v', 'env', 'A'], 'b')).toBe(
      '{"v": {"env": {"A":"b"}}}',
    );
  });

  it('sets the key that counts where one is given twice', () => {
    expect(setJson('{"a":1,"a":2}', ['a'], 3)).toBe('{"a":1,"a":3}');
  });

  it('writes Windows paths as JSON has them', () => {
    expect(setJson('{"a":1}', ['b'], 'C:\\x "y"')).toBe('{"a":1,"b":"C:\\\\x \\"y\\""}');
  });
});

describe('removeJson', () => {
  it.each(rows.slice(3))('takes from %s what was added', (_, before, after) => {
    expect(removeJson(after, ['servers', 'v'])).toBe(before);
  });

  it.each([
    ['the only one', '{"s": {\n "v": 1\n}}', '{"s": {}}'],
    ['the only one, with a last comma', '{"s": {\n "v": 1,\n}}', '{"s": {}}'],
    ['the first', '{"s": {\n  "v": 1,\n  "w": 2\n}}', '{"s": {\n  "w": 2\n}}'],
    ['the middle one', '{"s": {"a":1, "v":1 , "w":2}}', '{"s": {"a":1, "w":2}}'],
    ['one behind a comment', '{"s": {"a":1, // x\n "v":1}}', '{"s": {"a":1 // x\n }}'],
    ['one between comments', '{"s": {/*a*/ "v": 1 /*b*/}}', '{"s": {/*a*/ /*b*/}}'],
    ['the only one behind a comment', '{"s": { // x\n "v":1}}', '{"s": { // x\n}}'],
  ])('removes %s', (_, before, after) => {
    expect(removeJson(before, ['s', 'v'])).toBe(after);
  });
});

describe('any JSON', () => {
  it('is the same after an entry came and went', () => {
    const servers = dictionary(string(), jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 });
    const config = dictionary(string(), jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    const style = constantFrom('', '  ', '\t');
    assert(
      property(config, servers, style, array(string()), (rest, others, indent, args) => {
        const { v: _, ...kept } = others;
        const text = JSON.stringify({ ...rest, servers: { ...kept, o: 1 } }, undefined, indent);
        const added = setJson(text, ['servers', 'v'], { args });
        expect(JSON.parse(added).servers.v).toEqual({ args });
        expect(removeJson(added, ['servers', 'v'])).toBe(text);
      }),
    );
  });
});
