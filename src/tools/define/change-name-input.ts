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

/** The same for an argument that may be left out. */
export function optionalChange(about: string) {
  return z
    .preprocess(
      (value) => (value === null || value === '' ? undefined : changeNameOf(value)),
      Either.optional(),
    )
    .describe(about);
}

function changeNameOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  return /^\d+$/.test(word) ? Number(word) : word;
}
