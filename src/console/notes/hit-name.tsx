import { folderOf, noteName } from '../../tools/wording/describe-change.ts';

/** The name of a listed note, with its folder beside it. */
export function HitName({ path }: { readonly path: string }) {
  return (
    <span class="hit-name">
      <b>
        <bdi>{noteName(path)}</bdi>
      </b>{' '}
      <span class="faint">
        <bdi>{folderOf(path)}</bdi>
      </span>
    </span>
  );
}
