import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { VaultError } from '../../base/vault-error.ts';
import type { ContentSource } from './parse-command.ts';

export interface ContentPlaces {
  readonly stdin: Readable;
  readonly currentFolder: string;
  readonly signal: AbortSignal;
  readonly bytesMax: number;
  /** Whether no text at all is a text. */
  readonly mayBeEmpty: boolean;
}

/**
 * The text of a file, or all that comes from stdin. Reading stops at `bytesMax`, with `too_large`.
 * An empty stdin is refused unless it may be: it is more often a pipe that broke than a text.
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
    // A byte order mark is part of the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new VaultError('invalid_input', `${what} is not UTF-8 text.`);
  }
}

/** The same, whatever the bytes are. */
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
