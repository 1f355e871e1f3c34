import { commonRights, type Scopes } from '../../base/caller.ts';

/** What a caller of another node may do here: what its node says, as far as this one allows it. */
export function commonScopes(asked: Scopes, own: Scopes): Scopes {
  const both = (some: readonly string[] = [], others: readonly string[] = []) => [
    ...new Set([...some, ...others]),
  ];
  const brakeFiles = Math.min(
    asked.brakeFiles ?? Number.POSITIVE_INFINITY,
    own.brakeFiles ?? Number.POSITIVE_INFINITY,
  );
  return {
    effects: commonRights(asked.effects, own.effects),
    folders: asked.folders,
    hide: both(asked.hide, own.hide),
    hideTags: both(asked.hideTags, own.hideTags),
    hideProperties: both(asked.hideProperties, own.hideProperties),
    ...(Number.isFinite(brakeFiles) ? { brakeFiles } : {}),
  };
}
