import type { Shell } from '../shell/shell.ts';
import type { ContentSource } from './parse-command.ts';
import { readBytes, readContent } from './read-content.ts';

/** What is wanted of a text: the argument that it is for, how long it may be, whether it may be empty. */
export interface WantedContent {
  readonly argument: string;
  readonly bytesMax: number;
  /** Whether an empty stdin is accepted. */
  readonly mayBeEmpty: boolean;
  /** Whether it is bytes, which are answered as base64. */
  readonly isBytes: boolean;
}

/** Reads the text of a command at the shell that it was typed in; see `readContent`. */
export function contentAt(
  { stdin, stderr, currentFolder, signal }: Shell,
  source: ContentSource,
  { argument, isBytes, ...wanted }: WantedContent,
): Promise<string> {
  if (source.from === 'stdin' && stdin.isTTY) {
    stderr.write(`vaultdoor: Reading the ${argument} from the terminal; Ctrl-D ends it.\n`);
  }
  const places = { stdin, currentFolder, signal, ...wanted };
  if (!isBytes) return readContent(source, places);
  return readBytes(source, places).then((bytes) => Buffer.from(bytes).toString('base64'));
}
