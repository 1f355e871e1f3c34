import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromJson, toJson } from '../../base/json.ts';
import type { NoteDetail, PackedLinks } from './note-detail.ts';
import { packLink, unpackLinks } from './note-detail.ts';
import type { LinkRecord } from './records.ts';

const place = fc.nat(1_000_000);
const link: fc.Arbitrary<LinkRecord> = fc
  .record(
    {
      place: fc.constantFrom('body', 'property', 'definition', 'canvas', 'base'),
      embed: fc.boolean(),
      path: fc.string({ maxLength: 8 }),
      subpath: fc.constantFrom('', '#Heading', '#^id'),
      key: fc.string({ maxLength: 8 }),
      start: place,
      end: place,
      line: place,
    },
    { requiredKeys: ['place', 'embed', 'path', 'subpath', 'start', 'end', 'line'] },
  )
  .map((drawn) => ({ ...drawn, end: drawn.start + drawn.end }));

it('gives back the links that were packed', () => {
  fc.assert(
    fc.property(fc.array(link), (links) => {
      const paths = Array.from(new Set(links.map(({ path }) => path)));
      const packed: PackedLinks = { links: [], subpaths: [], keys: [] };
      for (const one of links) packLink(packed, one, paths.indexOf(one.path));
      const detail: NoteDetail = { ...packed, properties: [], headings: [], tasks: [] };
      expect(unpackLinks(fromJson(toJson(detail)), paths)).toEqual(links);
    }),
  );
});
