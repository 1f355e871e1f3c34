import { expect, onTestFinished, test } from 'vitest';
import { pdf } from '../../../test/support/pdfs.ts';
import { bundle } from '../../../test/support/run-cli.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { openThreadDocumentReader } from '../../node/workers/thread-document-reader.ts';
import { listProblems } from '../operations/vault/list-problems.ts';
import { wholeVault } from '../ports/view.ts';
import { DocumentTexts } from './document-texts.ts';

test('only PDFs and drawings on this disk are read; broken and enormous ones are listed', async () => {
  const opened = await openWrittenVault({ 'A.md': 'a', 'film.mp4': pdf('tex.pdf') });
  const { keeper, disk, vault } = opened;
  onTestFinished(() => opened.close());
  disk.write('here.PDF', pdf('ghostscript.pdf'));
  disk.write('away.pdf', pdf('ghostscript.pdf'), { present: false });
  disk.write('away.excalidraw', '{"elements":[{"text":"away"}]}', { present: false });
  disk.write('huge.pdf', new Uint8Array(limits.pdfBytesMax + 1));
  disk.write('huge.excalidraw', new Uint8Array(limits.noteBytesMax + 1));
  disk.write('cut.pdf', pdf('cut.pdf'));
  const read: string[] = [];
  const watched = Object.assign(Object.create(disk), {
    read: (...asked: Parameters<typeof disk.read>) => {
      read.push(asked[0]);
      return disk.read(...asked);
    },
  });
  await keeper.reconcile();
  const reader = openThreadDocumentReader({ entryFile: bundle });
  const documents = new DocumentTexts({ keeper, disk: watched, reader });
  onTestFinished(() => documents.close());
  await documents.settle();

  expect(read.toSorted()).toEqual(['cut.pdf', 'here.PDF', 'huge.excalidraw', 'huge.pdf']);
  const { problems } = await listProblems(vault);
  expect(Object.fromEntries(problems.map(({ path, message }) => [path, message]))).toEqual({
    'cut.pdf': expect.stringContaining('is damaged'),
    'huge.pdf': expect.stringContaining('has more than'),
    'huge.excalidraw': expect.stringContaining('larger than 16 MiB'),
  });
  const texts = await keeper.ask((store) =>
    store.documentTexts(wholeVault, ['here.PDF', 'film.mp4', 'away.pdf'] as never, 1_000),
  );
  expect(texts).toEqual([{ path: 'here.PDF', text: expect.stringContaining('lighthouses') }]);
});
