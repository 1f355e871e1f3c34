import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  findProperty,
  listProperties,
  readProperties,
  readProperty,
} from '../../engine/operations/list/list-properties.ts';
import {
  removeNoteProperty,
  setNoteProperty,
} from '../../engine/operations/write/set-note-property.ts';
import type { PropertyRow } from '../../engine/ports/index-store.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import { changeNote, type DescriptionRule } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  filled,
  given,
  namesOne,
  noteInput,
  noteOf,
  optionalChoice,
  optionalText,
  PropertyValue,
} from '../define/note-input.ts';
import { roomBeside } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { cutItem, listPage, Offset, pageShape } from './list-page.ts';

const Row = z.object({
  property: z.string(),
  files: z.number(),
  types: z.array(z.string()).readonly(),
});

const published = z.object({
  name: optionalText('Only of this note'),
  property: optionalText('Only this one'),
  offset: Offset,
});

export const propertiesTool = defineTool({
  name: 'obsidian_properties',
  title: 'List properties',
  description:
    'List the properties of the vault with counts, or of a note with values; or one of them',
  effect: 'read',
  existing: 'name',
  published,
  input: published.extend({ path: optionalText('Exactly this file') }),
  output: z.union([
    z.object({ path: z.string(), properties: z.record(z.string(), z.unknown()) }),
    z.object({ path: z.string(), property: z.string(), value: z.unknown() }),
    z.object(pageShape('properties', Row)),
    Row,
  ]),
  record: ['name', 'path', 'property', 'offset'],
  run: (vault, { property, offset = 0, ...which }) =>
    namesOne(which)
      ? propertiesOfNote(vault, noteOf(which), property)
      : propertiesOfVault(vault, { property, offset }),
});

async function propertiesOfVault(
  vault: BoundVault,
  { property, offset }: { readonly property: string | undefined; readonly offset: number },
) {
  if (property === undefined) {
    const rows = await listProperties(vault);
    const items = rows.slice(offset).map(rowOf);
    return listPage('properties', { total: rows.length, items, offset });
  }
  const row = await findProperty(vault, { property });
  if (row === undefined) throw noProperty('No note of the vault has the property', property);
  return rowOf(row);
}

function rowOf({ key, files, types }: PropertyRow): z.output<typeof Row> {
  return { property: cutItem(key), files, types };
}

async function propertiesOfNote(vault: BoundVault, name: NoteName, property: string | undefined) {
  if (property === undefined) {
    const { path, properties } = await readProperties(vault, { name });
    return checkFits({ path, properties: { ...properties } });
  }
  const { path, found } = await readProperty(vault, { name, property });
  if (found === undefined) throw noProperty(`"${path}" has no property`, property);
  return checkFits({ path, property: found.key, value: found.value });
}

/** Returns the answer as it is. Fails with `too_large` when it is longer than an answer may be. */
function checkFits<Answer extends { readonly path: string }>(answer: Answer): Answer {
  const { path } = answer;
  if (roomBeside(answer) >= 0) return answer;
  throw new VaultError(
    'too_large',
    `The properties of "${path}" are more than an answer holds: read them with obsidian_read_note.`,
    { details: { path } },
  );
}

function noProperty(problem: string, property: string): VaultError {
  const asked = cutItem(property);
  return new VaultError(
    'not_found',
    `${problem} "${asked}"; leave "property" out to list those there are.`,
    { details: { property: asked } },
  );
}

const Property = filled('Property name', limits.propertyNameCharsMax);

export function propertySetTool(description: DescriptionRule): AnyTool {
  return defineTool({
    name: 'obsidian_property_set',
    title: 'Set property',
    description: 'Set a property of a note; a list replaces the old value',
    effect: 'write',
    existing: 'name',
    ...noteInput({
      property: Property,
      value: PropertyValue.describe('New value; null leaves it empty'),
      type: optionalChoice(
        ['text', 'list', 'number', 'checkbox', 'date', 'datetime'],
        'Converts the value; else as the vault has it',
      ),
    }),
    output: writingSchema({ property: z.string(), value: z.unknown() }),
    record: ['name', 'path', 'property', 'type'],
    run: async (vault, { property, value, type, ...which }) => {
      const request = { name: noteOf(which), key: property, value, ...given({ type }) };
      const report = await changeNote(vault, setNoteProperty, request, { description });
      const answer = writingAnswer(report, { property: report.key });
      return JSON.stringify(report.value).length > roomBeside(answer)
        ? { ...answer, value: 'Stored, but too long to repeat here.' }
        : { ...answer, value: report.value };
    },
    ...contractData,
  });
}

export function propertyRemoveTool(description: DescriptionRule): AnyTool {
  return defineTool({
    name: 'obsidian_property_remove',
    title: 'Remove property',
    description: 'Remove a property of a note',
    effect: 'write',
    existing: 'name',
    ...noteInput({ property: Property }),
    output: writingSchema({
      property: z.string(),
      /** False when the note did not have the property. */
      removed: z.boolean(),
    }),
    record: ['name', 'path', 'property'],
    run: async (vault, { property, ...which }) => {
      const request = { name: noteOf(which), key: property };
      const report = await changeNote(vault, removeNoteProperty, request, { description });
      return writingAnswer(report, { property, removed: report.removed });
    },
    ...contractData,
  });
}
