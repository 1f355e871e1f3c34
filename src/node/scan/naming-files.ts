import { setImmediate } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { fileNameOf, stemOf, type VaultPath } from '../../base/vault-path.ts';
import { writtenNames } from '../../engine/links/written-names.ts';
import { fileKind, isParsed } from '../../engine/ports/file-kind.ts';
import type { Titled } from '../../engine/ports/ports.ts';
import { writtenWords } from '../../engine/search/written-words.ts';
import { decodeText } from '../../engine/text/scan-file.ts';
import { isVaultGone } from '../place/vault-gone.ts';
import type { ScanSource } from './scan-files.ts';

/** Whether a file that was read is one of those looked for. */
type FileTest = (path: VaultPath, bytes: Buffer) => boolean;

/** The test for `Scanner.naming`. */
export function namingTest(segments: readonly string[]): FileTest {
  const mayName = writtenNames(segments);
  return (_, bytes) => mayName({ bytes: bytes.toString('latin1'), text: () => decodeText(bytes) });
}

/**
 * The test for `Scanner.mentioning`. The text of a canvas, and the aliases and tags of a note, may be
 * written with escapes: such a file passes.
 */
export function mentioningTest(beginnings: readonly string[]): FileTest {
  const mayHave = writtenWords(beginnings);
  const isTitled = titleTest(mayHave);
  return (path, content) => {
    if (isTitled(path)) return true;
    const bytes = content.toString('latin1');
    return escapedProperty.test(bytes) || mayHave({ bytes, text: () => decodeText(content) });
  };
}

/** Whether the name of a file may have one of the words, or its text is searched in any case. */
function titleTest(mayHave: ReturnType<typeof writtenWords>): (path: VaultPath) => boolean {
  return (path) => {
    const name = isParsed(fileKind(path)) ? stemOf(path) : fileNameOf(path);
    const bytes = Buffer.from(name).toString('latin1');
    return fileKind(path) === 'canvas' || mayHave({ bytes, text: () => name });
  };
}

/** See `Scanner.titled`. Lets other work of the thread run every `limits.turnMs`. */
export async function titledFiles(
  source: Pick<ScanSource, 'names'>,
  beginnings: readonly string[],
): Promise<Titled | undefined> {
  const isTitled = titleTest(writtenWords(beginnings));
  const paths: VaultPath[] = [];
  let notes = 0;
  let sinceMs = performance.now();
  for (const some of source.names()) {
    if (some === undefined) return undefined;
    for (const path of some) {
      if (isParsed(fileKind(path))) notes += 1;
      if (isTitled(path)) paths.push(path);
    }
    if (performance.now() - sinceMs < limits.turnMs) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  return { paths, notes };
}

/** A backslash in the properties of a note, whose bytes are read as Latin-1. */
const escapedProperty = /^(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?:(?!---)[^\\\n]*\n)*(?!---)[^\\\n]*\\/;

/** See `Scanner.naming`. Lets other work of the thread run every `limits.turnMs`. */
export async function filesFulfilling(
  source: Pick<ScanSource, 'read' | 'peek'>,
  request: {
    readonly paths: readonly VaultPath[];
    readonly test: FileTest;
    readonly isClosed: () => boolean;
  },
): Promise<readonly VaultPath[]> {
  const found: VaultPath[] = [];
  const peeked = source.peek();
  try {
    let sinceMs = performance.now();
    for (const path of request.paths) {
      const bytes = peeked.read(path);
      const isOne =
        bytes === undefined ? fulfils(source, path, request.test) : request.test(path, bytes);
      if (isOne) found.push(path);
      if (performance.now() - sinceMs < limits.turnMs) continue;
      await setImmediate();
      if (request.isClosed()) {
        throw new VaultError('cancelled', 'The vault was closed in the meantime.');
      }
      sinceMs = performance.now();
    }
  } finally {
    peeked.close();
  }
  return found;
}

/** Whether a file fulfils the test; also when it cannot be read, so that this is noticed. */
function fulfils(source: Pick<ScanSource, 'read'>, path: VaultPath, test: FileTest): boolean {
  try {
    const { bytes } = source.read(path, { bytesMax: limits.noteBytesMax });
    // Without bytes, it has become too large or was taken off this disk.
    return bytes === undefined || test(path, bytes);
  } catch (error) {
    if (isVaultGone(error)) throw error;
    return true;
  }
}
