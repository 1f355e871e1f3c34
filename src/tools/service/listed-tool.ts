import { z } from 'zod';
import type { AnyTool } from '../define/define-tool.ts';
import type { ListedTool } from './service.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A tool as lists show it. */
export function listedTool(tool: AnyTool): ListedTool {
  const { name, title, description, effect, openWorld } = tool;
  return {
    name,
    title,
    description,
    effect,
    inputSchema: schemaOf(tool.published ?? tool.input, 'input'),
    ...(openWorld && { openWorld }),
  };
}

/** JSON Schema of what a tool answers, for lists of structured toolsets. */
export function outputSchemaOf(tool: AnyTool): Schema {
  return schemaOf(tool.output, 'output');
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  return plainSchema(schema);
}

const untold: ReadonlySet<string> = new Set(['additionalProperties', 'propertyNames', 'readOnly']);

/**
 * A schema without what tells a model nothing: closed objects, lists that nobody changes, the bounds of every whole number,
 * and choices between plain types, which some clients do not read as such.
 */
function plainSchema(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (untold.has(key)) return [];
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return [];
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return [];
    if (key === 'properties') return [[key, plainProperties(value as Schema)]];
    if (key === 'items') return [[key, plainSchema(value as Schema)]];
    if (key !== 'anyOf') return [[key, value]];
    const choices = (value as readonly Schema[]).map(plainSchema);
    return joined(choices) ?? [[key, choices]];
  });
  return Object.fromEntries(entries);
}

function plainProperties(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, plainSchema(schema as Schema)]),
  );
}

/** Choices that differ in their type alone as one list of types; undefined for any others. */
function joined(choices: readonly Schema[]): [string, unknown][] | undefined {
  const types = choices.map(({ type }) => type);
  const others = choices.flatMap(({ type: _, ...rest }) => Object.entries(rest));
  const isPlain = types.every((type) => typeof type === 'string');
  const keys = others.map(([key]) => key);
  if (!isPlain || new Set(keys).size < keys.length) return undefined;
  // What an `items` says is only about lists, so it may stand beside the other types.
  if (keys.some((key) => key !== 'items')) return undefined;
  return [['type', types], ...others];
}
