import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { allowedTags } from './allowed-tags.ts';
import { refusedTags, tagRefusal } from './tag-refusal.ts';

const allowed = (...tags: string[]) => allowedTags(tags.map((tag) => ({ tag: `#${tag}` })));
const closing =
  'Ask user before creating new tags. Pass the tags the user has agreed to as a list in ' +
  '`new_tags`, which every tool that writes text takes, also where it is not listed. ' +
  'Allowed are the tags that notes of the vault have, and those above nested ones (a of a/b).';

describe('tagRefusal', () => {
  it.each<[refused: string[], tags: string[], message: string]>([
    [['career'], [], `Tag 'career' not in allowed list. Allowed: none. ${closing}`],
    [['a', 'b'], ['x'], `Tags 'a', 'b' not in allowed list. Allowed: x. ${closing}`],
    [
      ['carer'],
      ['zoo', 'career', 'Area', 'job/career', 'carers'],
      `Tag 'carer' not in allowed list. Allowed: carers, career, job/career, Area, job, zoo. ${closing}`,
    ],
    [
      ['a\nb\u0007', 'x'.repeat(200)],
      [],
      `Tags 'a b\\u{7}', '${'x'.repeat(99)}…' not in allowed list. Allowed: none. ${closing}`,
    ],
  ])('says of %j in a vault with %j', (refused, tags, message) => {
    const error = tagRefusal(refused, allowed(...tags));
    expect(error.message).toBe(message);
    expect(refusedTags(error)).toEqual(refused);
  });

  it('names so many allowed tags and counts the rest', () => {
    const many = Array.from({ length: limits.allowedTagsMax + 4 }, (_, at) => `t${at + 1000}`);
    const { message, details } = tagRefusal(['q'], allowed(...many));
    expect(message).toContain('Allowed: t1000, t1001, ');
    expect(message).toContain(`, t${1000 + limits.allowedTagsMax - 1}, … and 4 more. Ask user`);
    expect(details['allowed']).toHaveLength(limits.allowedTagsMax);
  });

  it('counts what nobody would read', () => {
    const many = Array.from({ length: 25 }, (_, at) => `n${at}`);
    expect(tagRefusal(many, allowed()).message).toContain("'n19', … and 5 more not in allowed");
  });
});

describe('refusedTags', () => {
  it('knows no tags of other failures', () => {
    expect(refusedTags(new Error('x'))).toBeUndefined();
  });
});
