import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import {
  removeNoteProperty,
  setNoteProperty,
} from '../../engine/operations/write/set-note-property.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, NoteName } from './schemas.ts';

const Key = z.string().min(1).describe('The name of the property.');

export const setTool = defineChange({
  name: 'set',
  title: 'Set a property',
  description:
    "Gives a note a property, or an existing one another value. Without --type, the vault's own type of that property counts.",
  effect: 'write',
  input: z.object({
    name: NoteName,
    key: Key,
    value: z.json().describe('The value.'),
    type: z
      .enum(['text', 'list', 'number', 'checkbox', 'date', 'datetime', 'json'])
      .exactOptional()
      .describe('What the value is; a list is comma-separated or JSON.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), key: z.string(), value: z.unknown() }),
  record: ['name', 'key', 'type'],
  positional: ['name', 'key', 'value'],
  operation: (draft, { type, ...request }) =>
    type === 'json'
      ? setNoteProperty(draft, { ...request, value: jsonOf(request.value) })
      : setNoteProperty(draft, type === undefined ? request : { ...request, type }),
});

export const unsetTool = defineChange({
  name: 'unset',
  title: 'Remove a property',
  description: 'Takes a property out of a note.',
  effect: 'write',
  input: z.object({ name: NoteName, key: Key, version: IfVersion }),
  result: z.object({ path: z.string(), removed: z.boolean() }),
  record: ['name', 'key'],
  positional: ['name', 'key'],
  operation: removeNoteProperty,
});

type JsonValue = z.output<ReturnType<typeof z.json>>;

function jsonOf(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    throw new VaultError('invalid_input', 'The value is not valid JSON; quote it for the shell.');
  }
}
