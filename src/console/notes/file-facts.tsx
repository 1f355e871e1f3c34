import { useMemo } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { extensionOf, type VaultPath } from '../../base/vault-path.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { folderOf } from '../../tools/wording/describe-change.ts';
import { isPicture as isPicturePath } from '../note/link-target.ts';
import { NoteBody } from '../note/note-body.tsx';
import { useAnswer } from '../page/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { notesStrings } from '../words/notes-strings.ts';
import { dayAndTime } from '../words/times.ts';
import { LazyBase } from './lazy-base.ts';

/** A file that is no note: a picture is shown, of others it says what they are. */
export function FileFacts({ path }: { readonly path: string }) {
  const type = extensionOf(path);
  const folder = folderOf(path);
  const { answer } = useAnswer<ConsoleAnswer<'files'>>(
    '/files',
    { folder, limit: consolePageLimits.folderFilesMax },
    { follows: false },
  );
  const file = answer?.items.find((row) => row.path === path);
  const isPicture = isPicturePath(path);
  const said = notesStrings.fileTypes[type] ?? notesStrings.aFile(type);
  const nowMs = Date.now();
  const note = useMemo(
    () => ({ path: path as VaultPath, kind: 'attachment' as const, text: '' }),
    [path],
  );
  return (
    <>
      {isPicture ? <NoteBody note={note} Base={LazyBase} /> : undefined}
      <p class="note-line">
        <Icon name="notes" />
        <span class="grow">
          {file === undefined
            ? `${said}.`
            : notesStrings.fileFacts(
                said,
                sizeText(file.size),
                dayAndTime(file.mtimeMs, { nowMs }),
              )}{' '}
          {isPicture ? '' : notesStrings.fileNotShown}
          {file?.present === false ? ` ${notesStrings.notDownloaded}` : ''}
        </span>
      </p>
    </>
  );
}

/** A size in the unit that suits it. */
function sizeText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** at);
}
