import type { Shell } from '../shell/shell.ts';
import type { ContentSource } from './parse-command.ts';
import { readContent } from './read-content.ts';

/** What is wanted of a text: the argument that it is for, how long it may be, whether it may be empty. */
export interface WantedContent {
  readonly argument: string;
  readonly bytesMax: number;
  /** Whether an empty stdin is accepted. */
  readonly mayBeEmpty: boolean;
}

/** Reads the text of a command at the shell that it was typed in; see `readContent`. */
export function contentAt(
  { stdin, stderr, currentFolder, signal }: Shell,
  source: ContentSource,
  { argument, ...wanted }: WantedContent,
): Promise<string> {
  if (source.from === 'stdin' && stdin.isTTY) {
    stderr.write(`vaultdoor: Reading the ${argument} from the terminal; Ctrl-D ends it.\n`);
  }
  return readContent(source, { stdin, currentFolder, signal, ...wanted });
}
