import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import {
  setNoteProperties,
  setNotesProperties,
  setOrRemoveProperty,
} from '../../engine/operations/write/set-note-property.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { PropertyValue as Value } from '../../markdown/facts/facts.ts';
import { brokenProperties } from '../define/advice.ts';
import { changeNote, changeNotes } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { givenProperties } from '../define/given-properties.ts';
import {
  filled,
  flag,
  given,
  IfVersion,
  missing,
  NamedNote,
  NewTags,
  namesOne,
  noteOf,
  PropertyValue,
} from '../define/note-input.ts';
import { firstOf, roomBeside } from '../wording/fit-answer.ts';
import {
  changeShape,
  withReport,
  writingAnswer,
  writingSchema,
} from '../wording/writing-answer.ts';

const Names = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : (value ?? undefined)),
    z
      .array(z.string().refine((name) => name !== '', 'a name must not be empty'))
      .refine((names) => names.length > 0, 'it must not be empty')
      .refine(
        ({ length }) => length <= limits.propertyNotesMax,
        `it has at most ${limits.propertyNotesMax} notes; use several calls`,
      )
      .optional(),
  )
  .describe('Or several');

const Properties = z
  .unknown()
  .transform((value) => givenProperties('properties', value))
  .refine(
    (value) => value === undefined || Object.keys(value).length > 0,
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
  .optional()
  .describe('Or several')
  .meta({ type: 'object' });

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

const Key = filled('Property', 1_000).optional();
const OneValue = PropertyValue.optional().describe('null removes it');

const shape = {
  names: Names,
  key: Key,
  value: OneValue,
  properties: Properties,
  new_tags: NewTags,
};

/** Several answer this; one property of one note answers what it is now. */
const SeveralSet = z.object({
  /** How many notes changed. */
  changed: z.number(),
  /** The properties that were written otherwise than they were given, as in the first such note. */
  stored: z.record(z.string(), z.unknown()).optional(),
  ...changeShape,
  new_tags: z.array(z.string()).readonly().optional(),
});

export function setFrontmatterTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'set_frontmatter',
    title: 'Set frontmatter',
    description:
      'Set or remove properties of one note or several, as one change. A list replaces the old one.',
    effect: 'write',
    existing: 'name',
    published: z.object({ name: NamedNote.published.optional(), ...shape }),
    input: z
      .object({
        name: NamedNote.accepted,
        path: NamedNote.accepted,
        ...shape,
        version: IfVersion,
        dry_run: flag('Only show the diff'),
      })
      .refine(namesOne, missing('name'))
      .refine(({ name, path, names }) => names === undefined || (name ?? path) === undefined, {
        path: ['names'],
        error: 'give only one of "name" and "names"',
      })
      .refine(
        ({ key, properties }) => key !== undefined || properties !== undefined,
        missing('key'),
      )
      .refine(({ key, properties }) => key === undefined || properties === undefined, {
        path: ['properties'],
        error: 'give only one of "key" and "properties"',
      })
      .refine(({ key, value }) => key === undefined || value !== undefined, missing('value'))
      .refine(({ names, version }) => names === undefined || version === undefined, {
        path: ['version'],
        error: 'give it with "name", for one note',
      }),
    output: z.union([
      writingSchema({ key: z.string(), value: z.unknown() }),
      writingSchema({ properties: z.unknown() }),
      SeveralSet,
    ]),
    record: ['name', 'path', 'key', 'new_tags', 'dry_run'],
    recordAlso: ({ properties }) =>
      properties === undefined ? {} : { keys: firstOf(Object.keys(properties)) },
    run: async (vault, { name, path, names, key, value, properties, ...rest }) => {
      const { new_tags: newTags = [], version, dry_run: dryRun } = rest;
      const rules = { tags: { policy, newTags }, advice: { invalid_input: brokenProperties } };
      if (names === undefined && key !== undefined && value !== undefined) {
        const note = noteOf({ name, path });
        const request = given({ name: note, key, value, version, dryRun });
        return setOne(vault, request, rules);
      }
      const all =
        properties ?? (key === undefined ? {} : givenProperties('', { [key]: value })) ?? {};
      if (names !== undefined) return setSeveral(vault, { names, properties: all, dryRun }, rules);
      const note = noteOf({ name, path });
      return setAll(vault, given({ name: note, properties: all, version, dryRun }), rules);
    },
  });
}

const tooLong = 'Stored, but too long to repeat here.';

type Rules = Parameters<typeof changeNote>[3];

async function setOne(
  vault: BoundVault,
  request: Parameters<typeof setOrRemoveProperty>[1] & { readonly dryRun?: boolean },
  rules: Rules,
) {
  const report = await changeNote(vault, setOrRemoveProperty, request, rules);
  const { key, value } = report;
  const answer = writingAnswer(report, { key });
  return JSON.stringify(value).length > roomBeside(answer)
    ? { ...answer, value: tooLong }
    : { ...answer, value };
}

async function setAll(
  vault: BoundVault,
  request: Parameters<typeof setNoteProperties>[1] & { readonly dryRun?: boolean },
  rules: Rules,
) {
  const report = await changeNote(vault, setNoteProperties, request, rules);
  const { properties } = report;
  const answer = writingAnswer(report, {});
  return JSON.stringify(properties).length > roomBeside(answer)
    ? { ...answer, properties: tooLong }
    : { ...answer, properties };
}

async function setSeveral(
  vault: BoundVault,
  request: {
    readonly names: readonly NoteName[];
    readonly properties: Readonly<Record<string, Value>>;
    readonly dryRun: boolean | undefined;
  },
  rules: Rules,
) {
  const report = await changeNotes(vault, setNotesProperties, request, rules);
  const answer = {
    changed: report.files.length,
    change: report.change ?? null,
    ...(report.newTags.length === 0 ? {} : { new_tags: firstOf(report.newTags) }),
  };
  const stored = storedOtherwise(report.written, request.properties);
  const isShown = stored !== undefined && JSON.stringify(stored).length < roomBeside(answer) / 2;
  return withReport(report, isShown ? { ...answer, stored } : answer);
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
