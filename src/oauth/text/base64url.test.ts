import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64Url, toBase64Url } from './base64url.ts';

describe('base64url', () => {
  it('writes bytes as Node does, and reads them back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  it.each(['a', 'ab=', 'ab==', 'a+', 'a/', 'a b', 'é', 'ab\n', 'AB', 'AAB'])(
    'refuses %j',
    (text) => {
      expect(fromBase64Url(text)).toBeUndefined();
    },
  );
});
