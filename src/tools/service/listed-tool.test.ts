import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define/define-tool.ts';
import { notesToolset } from '../notes/notes-toolset.ts';
import { listedTool } from './listed-tool.ts';

/** The schema of one property as lists show it. */
function listed(property: z.ZodType): unknown {
  const tool = defineTool({
    name: 'x',
    title: 'X',
    description: 'x',
    effect: 'read',
    input: z.object({ property }),
    output: z.string(),
    record: [],
    run: async () => '',
  });
  const { inputSchema } = listedTool(tool);
  return (inputSchema['properties'] as Record<string, unknown>)['property'];
}

describe('a schema in a list', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['text', z.string().describe('What.'), { type: 'string', description: 'What.' }],
    ['a whole number', z.number().int(), { type: 'integer' }],
    ['one with bounds', z.int().min(3).max(9), { type: 'integer', minimum: 3, maximum: 9 }],
    ['a count', z.int().min(1), { type: 'integer' }],
    ['a choice', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['any of several types', z.union([z.string(), z.null()]), { type: ['string', 'null'] }],
    [
      'a text or a list',
      z.union([z.string(), z.array(z.string())]),
      { type: ['string', 'array'], items: { type: 'string' } },
    ],
    [
      'an object',
      z.strictObject({ a: z.string() }),
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
    ],
    ['a record', z.record(z.string(), z.unknown()), { type: 'object' }],
    [
      'texts that differ',
      z.union([z.string().min(1), z.string().max(9)]),
      {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'string', maxLength: 9 },
        ],
      },
    ],
  ])('says no more than is needed of %s', (_, property, expected) => {
    expect(listed(property)).toEqual(expected);
  });

  it('shows what is published, where that is less than is accepted', () => {
    const tool = defineTool({
      name: 'x',
      title: 'X',
      description: 'x',
      effect: 'read',
      input: z.object({ name: z.string().optional(), path: z.string().optional() }),
      published: z.object({ name: z.string() }),
      output: z.string(),
      record: [],
      run: async () => '',
    });
    expect(listedTool(tool)).toEqual({
      name: 'x',
      title: 'X',
      description: 'x',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    });
  });

  const { tools } = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
  const named = tools.map((tool) => [tool.name, tool] as const);
  it.each(named)('of %s has a type for every property', (_, tool) => {
    const { inputSchema } = listedTool(tool);
    expect(inputSchema['type']).toBe('object');
    const properties = Object.entries((inputSchema['properties'] ?? {}) as Record<string, object>);
    expect(properties.filter(([, schema]) => !('type' in schema)).map(([name]) => name)).toEqual(
      [],
    );
    expect(JSON.stringify(inputSchema)).not.toMatch(/\$schema|additionalProperties/);
  });
});
