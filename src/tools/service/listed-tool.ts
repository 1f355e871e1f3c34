import { z } from 'zod';
import type { AnyTool } from '../define/define-tool.ts';
import type { ListedTool } from './service.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A tool as lists of tools show it. */
export function listedTool(tool: AnyTool): ListedTool {
  const { name, title, description, effect, openWorld, appView } = tool;
  return {
    name,
    title,
    description,
    effect,
    inputSchema: schemaOf(tool.published ?? tool.input, 'input'),
    ...(openWorld && { openWorld }),
    ...(appView && { appView }),
  };
}

/** The JSON Schema of a tool's answer, which lists of structured toolsets show. */
export function outputSchemaOf(tool: AnyTool): Schema {
  return schemaOf(tool.output, 'output');
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  return plainSchema(schema);
}

/** Keys of a schema that tell a model nothing. */
const leftOut: ReadonlySet<string> = new Set(['additionalProperties', 'propertyNames', 'readOnly']);

/**
 * A schema without the parts that tell a model nothing: `additionalProperties`, `readOnly`, and the
 * bounds that every count has. A choice between plain types becomes a list of types, because
 * some clients do not understand `anyOf`.
 */
function plainSchema(schema: Schema): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (leftOut.has(key)) return [];
    if (key === 'minimum' && (value === Number.MIN_SAFE_INTEGER || value === 0 || value === 1))
      return [];
    if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return [];
    if (key === 'properties') return [[key, plainProperties(value as Schema)]];
    if (key === 'items') return [[key, plainSchema(value as Schema)]];
    if (key !== 'anyOf') return [[key, value]];
    const choices = (value as readonly Schema[]).map(plainSchema);
    return joined(choices) ?? [[key, choices]];
  });
  return Object.fromEntries(entries);
}

/** Descriptions that say no more than the name does: many tools have these arguments. */
const obvious: Schema = { limit: 'At most', offset: 'To skip' };

function plainProperties(properties: Schema): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { description, ...plain } = plainSchema(schema as Schema);
      return [name, obvious[name] === description ? plain : { description, ...plain }];
    }),
  );
}

/** Choices that differ only in their type, as one list of types; undefined for all others. */
function joined(choices: readonly Schema[]): [string, unknown][] | undefined {
  const types = choices.map(({ type }) => type);
  const others = choices.flatMap(({ type: _, ...rest }) => Object.entries(rest));
  const isPlain = types.every((type) => typeof type === 'string');
  const keys = others.map(([key]) => key);
  if (!isPlain || new Set(keys).size < keys.length) return undefined;
  // `items` applies to lists only, so it may stand beside the other types.
  if (keys.some((key) => key !== 'items')) return undefined;
  return [['type', types], ...others];
}
