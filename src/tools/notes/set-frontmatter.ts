import { z } from 'zod';
import type { Version } from '../../base/version.ts';
import { removeNoteProperty } from '../../engine/operations/write/remove-note-property.ts';
import { setNoteProperty } from '../../engine/operations/write/set-note-property.ts';
import type { TagPolicy } from '../../engine/tags/tag-policy.ts';
import type { Draft } from '../../engine/vault/draft.ts';
import type { NoteName } from '../../engine/vault/note-name.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { brokenProperties } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { filled, given, IfVersion, NewTags, noteInput, noteOf } from '../define/note-input.ts';
import { PropertyValue as Value } from '../define/property-value.ts';
import { roomBeside } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

export function setFrontmatterTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'set_frontmatter',
    title: 'Set property',
    description:
      'Set or remove one property of a note. A list replaces the old value: to add to it, get_frontmatter first. Not for body text.',
    effect: 'write',
    existing: 'name',
    ...noteInput({
      key: filled('Property name', 1_000),
      value: Value.describe('null removes the property'),
      new_tags: NewTags,
      version: IfVersion,
    }),
    output: writingSchema({ key: z.string(), value: z.unknown() }),
    record: ['name', 'path', 'key', 'new_tags'],
    run: async (vault, { name, path, new_tags: newTags = [], ...rest }) => {
      const request = { ...given(rest), name: noteOf({ name, path }) };
      const report = await changeNote(vault, setOrRemove, request, {
        tags: { policy, newTags },
        advice: { invalid_input: brokenProperties },
      });
      const { key, value } = report;
      const answer = writingAnswer(report, { key });
      return JSON.stringify(value).length > roomBeside(answer)
        ? { ...answer, value: 'Stored, but too long to repeat here.' }
        : { ...answer, value };
    },
  });
}

/** Sets a property as it is given, or removes it. */
async function setOrRemove(
  draft: Draft,
  request: {
    readonly name: NoteName;
    readonly key: string;
    readonly value: PropertyValue;
    readonly version?: Version;
  },
) {
  const { key, value } = request;
  if (value !== null) return setNoteProperty(draft, { ...request, ...typeOf(key, value) });
  const { path, removed } = await removeNoteProperty(draft, request);
  if (!removed) draft.warn(`"${path}" has no property "${key}", so there was nothing to remove.`);
  return { path, key, value };
}

/** A string stays one, whatever the vault's types say; aliases are a list in any case. */
function typeOf(key: string, value: PropertyValue): { type?: 'text' | 'list' } {
  if (typeof value !== 'string') return {};
  return { type: key.toLowerCase() === 'aliases' ? 'list' : 'text' };
}
