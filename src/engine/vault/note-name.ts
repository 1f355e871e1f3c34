/**
 * How a caller says which file it means: a name, which is looked for (see `findNote`), or this path,
 * for which nothing is resolved; its `.md` may be left out unless it is `exact`.
 */
export type NoteName = string | { readonly path: string; readonly exact?: true };
