/**
 * How a caller says which file it means: by a name, which is looked up (see `findNote`), or by an
 * exact path. The `.md` of a path may be left out unless `exact` is set.
 */
export type NoteName = string | { readonly path: string; readonly exact?: true };
