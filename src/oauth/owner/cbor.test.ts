import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cbor } from '../../../test/support/passkey-device.ts';
import { readCbor } from './cbor.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

describe('reading CBOR', () => {
  it.each<[string, unknown]>([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['1affffffff', 4_294_967_295],
    ['20', -1],
    ['390100', -257],
    ['40', new Uint8Array()],
    ['43010203', new Uint8Array([1, 2, 3])],
    ['63e697a5', '日'],
    ['80', []],
    ['83010203', [1, 2, 3]],
    ['a0', new Map()],
    [
      'a201020326',
      new Map([
        [1, 2],
        [3, -7],
      ]),
    ],
    ['f4', false],
    ['f5', true],
    ['f6', null],
  ])('%s', (hex, value) => {
    expect(readCbor(bytes(hex))).toEqual({ value, length: hex.length / 2 });
  });

  it('says where the value ends', () => {
    expect(readCbor(bytes('0102'))).toEqual({ value: 1, length: 1 });
  });

  it.each([
    ['nothing', ''],
    ['a number that is cut off', '19ff'],
    ['bytes that are cut off', '4401'],
    ['a list that is cut off', '9affffffff00'],
    ['a map that is cut off', 'baffffffff0000'],
    ['a text that is not UTF-8', '61ff'],
    ['a length of eight bytes', '5b0000000000000001ff'],
    ['an open length', '5f4101ff'],
    ['an open list', '9f01ff'],
    ['a tag', 'c001'],
    ['a fraction', 'f93c00'],
    ['undefined', 'f7'],
    ['a key twice', 'a201020103'],
    ['a key that is a list', 'a18001'],
    ['lists in lists', '81'.repeat(9)],
    ['very many lists in lists', '81'.repeat(10_000)],
  ])('refuses %s', (_, hex) => {
    expect(readCbor(bytes(hex))).toBeUndefined();
  });

  it('never fails, and reads what was written', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (any) => void readCbor(any)));
    const written = fc.oneof(
      fc.integer({ min: -60_000, max: 60_000 }),
      fc.string(),
      fc.uint8Array(),
    );
    fc.assert(
      fc.property(fc.array(written), (list) => {
        expect(readCbor(new Uint8Array(cbor(list)))?.value).toEqual(list);
      }),
    );
  });
});
