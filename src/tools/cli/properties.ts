import { z } from 'zod';
import { listProperties, readProperties } from '../../engine/operations/list/list-properties.ts';
import { renameProperty } from '../../engine/operations/move/rename-property.ts';
import {
  removeNoteProperty,
  setNoteProperty,
} from '../../engine/operations/write/set-note-property.ts';
import { defineTool } from '../define/define-tool.ts';
import { defineChange } from './define-change.ts';
import { Bases, Force, IfVersion, listOf, NoteName } from './schemas.ts';
import { table } from './table.ts';
import { basesText, counted, lines, plain } from './text.ts';

export const propertiesTool = defineTool({
  name: 'properties',
  title: 'Properties',
  description: 'Lists all property names of the vault, or the properties of one note.',
  effect: 'read',
  input: z.object({ name: NoteName.optional() }),
  output: z.union([
    z.object({
      properties: listOf(
        z.object({ key: z.string(), files: z.number(), types: listOf(z.string()) }),
      ),
    }),
    z.object({ path: z.string(), values: z.record(z.string(), z.unknown()) }),
  ]),
  record: ['name'],
  positional: ['name'],
  examples: ['vaultdoor properties', 'vaultdoor properties Sourdough'],
  run: async (vault, { name }) => {
    if (name === undefined) return { properties: await listProperties(vault) };
    const { path, properties } = await readProperties(vault, { name });
    return { path, values: { ...properties } };
  },
  text: (answer, paint) =>
    'properties' in answer
      ? lines(
          table(
            [
              { title: 'notes', align: 'right', paint: paint.faint },
              { title: 'property' },
              { title: 'types', paint: paint.faint },
            ],
            answer.properties.map(({ key, files, types }) => [
              String(files),
              plain(key),
              types.join(', '),
            ]),
            paint,
          ),
        )
      : lines(
          Object.entries(answer.values).map(
            ([key, value]) => `${paint.strong(plain(key))}: ${plain(JSON.stringify(value))}`,
          ),
        ),
  remarks: (answer) => {
    const all = 'properties' in answer ? answer.properties : Object.keys(answer.values);
    return all.length === 0 ? ['There are no properties.'] : [];
  },
});

const Key = z.string().min(1).describe('The name of the property.');

export const setTool = defineChange({
  name: 'set',
  title: 'Set a property',
  description:
    'Sets a property of a note. Without --type, the value gets the type that the property has: in the settings of the vault, in this note, or in most other notes.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    key: Key,
    value: z.json().describe('The value.'),
    type: z
      .enum(['text', 'list', 'number', 'checkbox', 'date', 'datetime', 'json'])
      .exactOptional()
      .describe('The type of the value; a list is comma-separated or JSON.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), key: z.string(), value: z.unknown() }),
  record: ['name', 'key', 'type'],
  positional: ['name', 'key', 'value'],
  examples: [
    'vaultdoor set Sourdough servings 6',
    'vaultdoor set Swifts seen 2026-05-03 --type date',
    `vaultdoor set Swifts topics 'birds, summer' --type list`,
  ],
  operation: setNoteProperty,
});

export const renamePropertyTool = defineChange({
  name: 'property rename',
  title: 'Rename a property',
  description: 'Renames a property in all notes, and in the bases that use it.',
  effect: 'write',
  input: z.object({
    property: Key,
    newProperty: z.string().min(1).describe('Its new name.'),
    force: Force,
  }),
  result: z.object({ notes: z.number(), bases: Bases }),
  record: ['property', 'newProperty', 'force'],
  positional: ['property', 'newProperty'],
  examples: [
    'vaultdoor property rename servings portions',
    'vaultdoor property rename servings portions --dry-run',
  ],
  operation: renameProperty,
  notes: ({ notes, bases }) => [`in ${counted(notes, 'note')}`, ...basesText(bases)],
});

export const unsetTool = defineChange({
  name: 'unset',
  title: 'Remove a property',
  description: 'Removes a property from a note.',
  effect: 'write',
  input: z.object({ name: NoteName, key: Key, version: IfVersion }),
  result: z.object({ path: z.string(), removed: z.boolean() }),
  record: ['name', 'key'],
  positional: ['name', 'key'],
  examples: ['vaultdoor unset Sourdough minutes'],
  operation: removeNoteProperty,
});
