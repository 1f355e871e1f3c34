import type { VaultPath } from '../../base/vault-path.ts';
import { decodeText } from '../text/scan-file.ts';
import type { NoteChange } from '../vault/served-notes.ts';
import { contentOf } from './draft-content.ts';
import type { VaultDraft } from './vault-draft.ts';

/**
 * What a draft does to the one file that the result of its operation names as `path`: its version
 * before and after, and its text where a connection is to remember it. Undefined when it names
 * none, when that is gone, and when nobody needed its content.
 */
export function changedNote({ files, vault }: VaultDraft, result: object): NoteChange | undefined {
  // Results name paths of the draft; whatever else they hold there has no file.
  const to = ('path' in result ? result.path : '') as VaultPath;
  const file = files.files.get(to);
  const after = file?.after?.version ?? file?.found?.version;
  if (file === undefined || after === undefined) return undefined;
  const { origin, found, text } = file;
  return {
    to,
    after,
    ...(origin === undefined ? {} : { from: origin }),
    ...(found?.version === undefined ? {} : { before: found.version }),
    ...(vault.served === undefined ? {} : { text: text ?? decodeText(contentOf(file).bytes) }),
  };
}
