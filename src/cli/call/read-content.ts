import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { VaultError } from '../../base/vault-error.ts';
import type { ContentSource } from './parse-command.ts';

interface ContentPlaces {
  readonly stdin: Readable;
  readonly currentFolder: string;
  readonly signal: AbortSignal;
  readonly bytesMax: number;
  /** Whether an empty stdin is accepted. */
  readonly mayBeEmpty: boolean;
}

/**
 * The text of a file, or of stdin until its end. Fails with `too_large` for more than `bytesMax`, and
 * with `invalid_input` for an empty stdin unless `mayBeEmpty`: that is usually a broken pipe.
 */
export async function readContent(source: ContentSource, places: ContentPlaces): Promise<string> {
  const what = nameOf(source);
  const bytes = await readBytes(source, places);
  if (bytes.length === 0 && source.from === 'stdin' && !places.mayBeEmpty) {
    throw new VaultError(
      'invalid_input',
      `${what} is empty; give "" as the argument if that is meant.`,
    );
  }
  try {
    // A byte order mark stays in the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new VaultError('invalid_input', `${what} is not UTF-8 text.`);
  }
}

/** The bytes of a file, or of stdin until its end. Fails with `too_large` for more than `bytesMax`. */
export function readBytes(
  source: ContentSource,
  places: Omit<ContentPlaces, 'mayBeEmpty'>,
): Promise<Uint8Array> {
  const { stdin, currentFolder, signal, bytesMax } = places;
  const stream =
    source.from === 'file' ? createReadStream(resolve(currentFolder, source.file)) : stdin;
  return readAll(addAbortSignal(signal, stream), { what: nameOf(source), bytesMax, signal });
}

function nameOf(source: ContentSource): string {
  return source.from === 'file' ? `The file "${source.file}"` : 'The text from stdin';
}

async function readAll(
  stream: Readable,
  { what, bytesMax, signal }: { what: string; bytesMax: number; signal: AbortSignal },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytesMax) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
    throw readFailure(what, error as NodeJS.ErrnoException);
  }
  if (length > bytesMax) {
    throw new VaultError(
      'too_large',
      `${what} is larger than ${bytesMax} bytes; give it in parts.`,
    );
  }
  return Buffer.concat(chunks);
}

function readFailure(what: string, error: NodeJS.ErrnoException): VaultError {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new VaultError('not_found', `${what} does not exist.`);
    case 'EISDIR':
      return new VaultError('is_a_folder', `${what} is a folder; give a file.`);
    case 'EACCES':
    case 'EPERM':
      return new VaultError('forbidden', `${what} may not be read.`);
    default:
      return new VaultError('io_failed', `${what} cannot be read (${error.code}).`);
  }
}
