import { z } from 'zod';
import { listProperties, readProperties } from '../../engine/operations/list/list-properties.ts';
import { defineTool } from '../define/define-tool.ts';
import { listOf, NoteName } from './schemas.ts';
import { lines, plain } from './text.ts';

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
  run: async (vault, { name }) => {
    if (name === undefined) return { properties: await listProperties(vault) };
    const { path, properties } = await readProperties(vault, { name });
    return { path, values: { ...properties } };
  },
  text: (answer, paint) =>
    'properties' in answer
      ? lines(
          answer.properties.map(
            ({ key, files, types }) =>
              `${paint.faint(String(files).padStart(6))} ${plain(key)} ${paint.faint(types.join(', '))}`,
          ),
        )
      : lines(
          Object.entries(answer.values).map(
            ([key, value]) => `${paint.strong(plain(key))}: ${plain(JSON.stringify(value))}`,
          ),
        ),
});
