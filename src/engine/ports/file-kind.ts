import { extensionOf } from '../../base/vault-path.ts';
import type { FileKind } from './records.ts';

/** What kind of file a path names, by its extension alone. */
export function fileKind(path: string): FileKind {
  switch (extensionOf(path)) {
    case 'md':
      return 'note';
    case 'canvas':
      return 'canvas';
    case 'base':
      return 'base';
    default:
      return 'attachment';
  }
}

/** Whether files of this kind are read and parsed for the index. */
export function isParsed(kind: FileKind): boolean {
  return kind !== 'attachment';
}
