/**
 * How a caller says which file it means: a name, which is looked for (see `findNote`), or exactly
 * this path (`.md` optional), for which nothing is resolved.
 */
export type NoteName = string | { readonly path: string };
