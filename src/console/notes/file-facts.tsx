import { useEffect, useState } from 'preact/hooks';
import { extensionOf } from '../../base/vault-path.ts';
import type { ConsoleAnswer } from '../../tools/console/console-answers.ts';
import { type ApiFailure, asFailure, failureOf, send } from '../page/api.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/states.tsx';
import { folderOf, noteName } from '../words/describe-change.ts';
import { notesStrings } from '../words/notes-strings.ts';
import { dayAndTime } from '../words/times.ts';
import { useAnswer } from './use-answer.ts';

const pictures = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg'];

/** A file that is no note: a picture is shown, of others it says what they are. */
export function FileFacts({ path }: { readonly path: string }) {
  const type = extensionOf(path);
  const { answer } = useAnswer<ConsoleAnswer<'files'>>('/files', {
    folder: folderOf(path),
    limit: 10_000,
  });
  const file = answer?.items.find((row) => row.path === path);
  const isPicture = pictures.includes(type);
  const said = notesStrings.fileTypes[type] ?? notesStrings.aFile(type);
  const nowMs = Date.now();
  return (
    <>
      {isPicture ? <VaultPicture path={path} /> : undefined}
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

/** A picture of the vault. It is fetched with the page's key, which an image element cannot send. */
function VaultPicture({ path }: { readonly path: string }) {
  const [address, setAddress] = useState<string | undefined>(undefined);
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    let made: string | undefined;
    const load = async (): Promise<void> => {
      const response = await send('GET', '/file', { path }, { signal: stop.signal });
      if (!response.ok) throw await failureOf(response);
      made = URL.createObjectURL(await response.blob());
      if (stop.signal.aborted) URL.revokeObjectURL(made);
      else setAddress(made);
    };
    setAddress(undefined);
    setFailure(undefined);
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setFailure(asFailure(error));
    });
    return () => {
      stop.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [path]);
  if (failure !== undefined) return <p class="note-line">{failure.message}</p>;
  if (address === undefined) return <Loading lines={3} />;
  return <img class="vault-picture" src={address} alt={noteName(path)} />;
}

/** A size in the unit that suits it. */
function sizeText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1_000 ** at);
}
