import { folderOf, noteName } from '../../tools/wording/describe-change.ts';
import { vaultHere } from '../page/address.ts';
import { addressOf } from '../page/place.ts';

/** The name of a note, which leads to it. Its folder stands beside it, unless there is no room. */
export function NoteLink({ path, isShort }: { readonly path: string; readonly isShort?: boolean }) {
  const link = (
    <a class="note-link" href={addressOf({ screen: 'notes', path, ...vaultHere() })} title={path}>
      <bdi>{noteName(path)}</bdi>
    </a>
  );
  if (isShort === true) return link;
  return (
    <>
      {link} <Folder path={path} />
    </>
  );
}

/** The name of a file that cannot be shown. */
export function FileName({ path }: { readonly path: string }) {
  return (
    <>
      <b>
        <bdi>{path.slice(path.lastIndexOf('/') + 1)}</bdi>
      </b>{' '}
      <Folder path={path} />
    </>
  );
}

function Folder({ path }: { readonly path: string }) {
  const folder = folderOf(path);
  return folder === '' ? null : (
    <small>
      <bdi>{folder}</bdi>
    </small>
  );
}
