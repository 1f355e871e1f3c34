import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isChangeWord } from '../../base/change-name.ts';
import { nodeHash } from '../../node/system/node-ports.ts';
import { changeWord } from './change-names.ts';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

describe('changeWord', () => {
  const key = Uint8Array.from({ length: 32 }, (_, at) => 7 * at);

  it.each([
    ['laptop', 1],
    ['', 2],
    ['täg.5', 123_456_789],
  ])('is the beginning of the HMAC over %j and %i', (reader, id) => {
    const digest = createHmac('sha256', key).update(`change-1.${reader}.${id}`).digest();
    const bits = digest.readUIntBE(0, 5).toString(2).padStart(40, '0');
    const expected = (bits.match(/.{5}/g) ?? []).map((five) => letters[Number.parseInt(five, 2)]);
    const word = changeWord(nodeHash, { key, reader, id });
    expect(word).toBe(`c-${expected.join('')}`);
    expect(isChangeWord(word)).toBe(true);
  });

  it('tells nothing about the order, and is another one for each reader and key', () => {
    const ids = Array.from({ length: 500 }, (_, at) => at + 1);
    const words = (reader: string, with_ = key) =>
      ids.map((id) => changeWord(nodeHash, { key: with_, reader, id }));
    const all = [
      ...words('a'),
      ...words('b'),
      ...words(
        'a',
        key.map((byte) => byte + 1),
      ),
    ];
    expect(new Set(all).size).toBe(3 * ids.length);
    expect(words('a')).not.toEqual(words('a').toSorted());
  });

  it.each(['c-', 'c-1234567', 'c-123456789', 'C-12345678', 'c-1234567l', '12345678', 'c-1234567 '])(
    'has another form than %j',
    (text) => {
      expect(isChangeWord(text)).toBe(false);
    },
  );
});
