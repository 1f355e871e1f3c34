import { z } from 'zod';
import { isChangeWord } from '../../base/change-name.ts';

/** A change in an answer; see `ChangeName`. */
export const ChangeNameShape = z.union([z.number(), z.string()]);

const error = 'it must be the number of a change, or a word such as c-7k2m9qx4';

// The bound is a refinement, so that lists of tools show no more than the two types.
const Either = z.union(
  [z.int().refine((id) => id > 0, error), z.string().refine(isChangeWord, error)],
  { error },
);

/** A change as an argument: its number, also as text, or its word. */
export const ChangeNameInput = z.preprocess(changeNameOf, Either);

/** One change or a list of them, in an argument that may be left out. */
export function optionalChanges(about: string) {
  return z
    .preprocess(
      changeNamesOf,
      z
        .union([...Either.options, z.array(Either).refine((names) => names.length > 0, error)], {
          error,
        })
        .optional(),
    )
    .transform((names) => (names === undefined || Array.isArray(names) ? names : [names]))
    .describe(about);
}

function changeNamesOf(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.map(changeNameOf);
  // Some clients send a list as text.
  const [, inside] = (typeof value === 'string' && /^\s*\[(.*)\]\s*$/s.exec(value)) || [];
  if (inside === undefined) return changeNameOf(value);
  return inside.split(',').map((each) => changeNameOf(each.replace(/"/g, '')));
}

function changeNameOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return /^\d+$/.test(word) ? Number(word) : word;
}
