import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VaultPath } from '../../../base/vault-path.ts';
import { LoadedWorld } from '../query/loaded-world.ts';
import { noteProperties, noteProperty } from './property-value.ts';
import { valueJson } from './value-json.ts';

const path = 'A.md' as VaultPath;
/** Few names, so that a note often has one twice or in another case. */
const name = fc.constantFrom('a', 'A', 'b', 'ß', 'SS', 'tags', 'Tags');
const value = fc.constantFrom('x', 'one two', '2026-01-02', 7, null, true, ['#t', 'u v']);

it('finds one property as the object of all of them does', () => {
  const properties = fc.array(fc.tuple(name, fc.constant('text' as const), value), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(properties, name, (written, asked) => {
      const world = new LoadedWorld({ nowMs: 0, random: () => 0, propertyTypes: new Map() });
      world.put({ path, size: 0, mtimeMs: 0, birthMs: 0, properties: written });
      expect(valueJson(noteProperty(world, path, asked))).toEqual(
        valueJson(noteProperties(world, path).get(asked)),
      );
    }),
  );
});
