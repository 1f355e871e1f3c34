import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { setNotesProperties } from '../../engine/operations/write/set-note-property.ts';
import { brokenProperties } from '../define/advice.ts';
import { changeNotes } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { flag, missing, NewTags } from '../define/note-input.ts';
import { firstOf, roomBeside } from '../wording/fit-answer.ts';
import { changeShape, withReport } from '../wording/writing-answer.ts';
import { givenProperties } from './given-properties.ts';

const published = z.object({
  names: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z
        .array(z.string().refine((name) => name !== '', 'a name must not be empty'))
        .refine((names) => names.length > 0, 'it must not be empty')
        .refine(
          ({ length }) => length <= limits.propertyNotesMax,
          `it has at most ${limits.propertyNotesMax} notes; use several calls`,
        ),
    )
    .describe('Notes'),
  properties: z
    .unknown()
    .transform((value) => givenProperties('properties', value))
    .refine((value) => value !== undefined, missing('properties').error)
    .refine(
      (value) => Object.keys(value ?? {}).length > 0,
      'it must not be empty; give at least one property',
    )
    .refine(
      (value) => Object.keys(value ?? {}).length <= limits.propertiesPerCallMax,
      `it has at most ${limits.propertiesPerCallMax} properties`,
    )
    .superRefine((value, context) => {
      const same = sameNames(Object.keys(value ?? {}));
      if (same !== undefined) context.addIssue({ code: 'custom', message: same });
    })
    .describe('New values; null removes')
    .meta({ type: 'object' }),
  new_tags: NewTags,
});

/** What is wrong with names that mean one property; undefined when there are none. */
function sameNames(keys: readonly string[]): string | undefined {
  const known = new Map<string, string>();
  for (const key of keys) {
    const other = known.get(key.toLowerCase());
    if (other !== undefined) return `"${other}" and "${key}" are one property; give it once`;
    known.set(key.toLowerCase(), key);
  }
  return undefined;
}

export function setPropertiesTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'set_properties',
    title: 'Set properties',
    description:
      'Set the same values in several notes, or several in one: one change, all or nothing. Just one: set_frontmatter.',
    effect: 'write',
    existing: 'names',
    published,
    input: published.extend({ dry_run: flag('Only show the diff') }),
    output: z.object({
      /** How many notes changed. */
      changed: z.number(),
      /** The properties that were written otherwise than they were given, as in the first such note. */
      stored: z.record(z.string(), z.unknown()).optional(),
      ...changeShape,
      new_tags: z.array(z.string()).readonly().optional(),
    }),
    record: ['new_tags', 'dry_run'],
    run: async (vault, { names, properties = {}, new_tags: newTags = [], dry_run: dryRun }) => {
      const report = await changeNotes(
        vault,
        setNotesProperties,
        { names, properties, dryRun },
        { tags: { policy, newTags }, advice: { invalid_input: brokenProperties } },
      );
      const answer = {
        changed: report.files.length,
        change: report.change ?? null,
        ...(report.newTags.length === 0 ? {} : { new_tags: firstOf(report.newTags) }),
      };
      const stored = storedOtherwise(report.written, properties);
      const isShown =
        stored !== undefined && JSON.stringify(stored).length < roomBeside(answer) / 2;
      return withReport(report, isShown ? { ...answer, stored } : answer);
    },
  });
}

/** The values that differ from those that were given; undefined when none does. */
function storedOtherwise(
  written: readonly (readonly [key: string, value: unknown])[],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const asked = new Map(Object.entries(given).map(([key, value]) => [key.toLowerCase(), value]));
  const stored = new Map<string, unknown>();
  for (const [key, value] of written) {
    const folded = key.toLowerCase();
    if (stored.has(folded) || JSON.stringify(asked.get(folded)) === JSON.stringify(value)) continue;
    stored.set(folded, value);
  }
  return stored.size === 0 ? undefined : Object.fromEntries(stored);
}
