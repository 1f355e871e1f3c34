import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Sessions at a shell, on a copy of the example vault: `$` a command, `!` stderr, `//` a remark.
// `UPDATE=1 npx vitest run …` writes what the program prints now; read the difference before you
// commit it.

const folder = fileURLToPath(new URL('.', import.meta.url));
const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const transcripts = readdirSync(folder).filter((file) => file.endsWith('.txt'));

/** Runs each `$ vaultdoor …` line of a transcript and answers the transcript as it is now. */
async function replay(transcript: string, vault: string, cache: string): Promise<string> {
  const env = { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache };
  const blocks: string[] = [];
  for (const line of transcript.split('\n').filter((text) => /^(\$|\/\/) /.test(text))) {
    if (line.startsWith('//')) {
      blocks.push(`${line}\n`);
      continue;
    }
    const { stdout, stderr, code } = await runCli(words(line.slice('$ vaultdoor '.length)), env);
    const errors = stderr.replace(/^(?=.)/gm, '! ');
    blocks.push(`${line}\n${stdout}${errors}${code === 0 ? '' : `[exit ${code}]\n`}`);
  }
  return blocks.join('\n').replaceAll(vault, '<vault>');
}

/** Splits a command line at spaces outside of double quotes. */
function words(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), (match) => match[1] ?? match[2] ?? '');
}

function contentOf(vault: string): Record<string, string> {
  const files = readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'base64')]));
}

it.each(transcripts)('%s', async (file) => {
  const vault = join(tempFolder(), 'vault');
  cpSync(example, vault, { recursive: true, preserveTimestamps: true });
  const before = contentOf(vault);
  const expected = readFileSync(join(folder, file), 'utf8');
  const actual = await replay(expected, vault, tempFolder());
  if (process.env['UPDATE']) writeFileSync(join(folder, file), actual);
  else expect(actual).toBe(expected);
  // Promise 8: reading leaves nothing in the vault and changes nothing.
  expect(contentOf(vault)).toEqual(before);
});
