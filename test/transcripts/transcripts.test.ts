import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { exitCodes } from '../../src/cli/shell/exit-codes.ts';
import { counted } from '../support/counts.ts';
import { bundle, cliEnv, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Sessions at a shell, each on its own copy of the example vault: `$` a command, `<` a line of its
// stdin, `!` stderr, `//` a remark. `UPDATE=1 npx vitest run …` writes what the program prints now;
// read the difference before you commit it.

const folder = fileURLToPath(new URL('.', import.meta.url));
const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const transcripts = readdirSync(folder).filter((file) => file.endsWith('.txt'));

/** Runs each `$ vaultdoor …` line of a transcript and answers the transcript as it is now. */
async function replay(
  transcript: string,
  run: Run,
  folders: { readonly vault: string; readonly state: string },
): Promise<string> {
  const blocks: string[] = [];
  for (const [line, ...stdin] of commandsOf(transcript)) {
    if (line === undefined || line.startsWith('//')) {
      blocks.push(`${line}\n`);
      continue;
    }
    const input = stdin.map((text) => `${text.slice(2)}\n`).join('');
    const [, session = '', rest = ''] =
      /^\$ (?:VAULTDOOR_SESSION=(\S+) )?vaultdoor (.*)$/.exec(line) ?? [];
    const { stdout, stderr, code } = await run(words(rest), { stdin: input, session });
    const errors = stderr.replace(/^(?=.)/gm, '! ');
    const shown = [line, ...stdin].map((text) => `${text}\n`).join('');
    blocks.push(`${shown}${ended(stdout)}${errors}${code === 0 ? '' : `[exit ${code}]\n`}`);
  }
  const text = blocks
    .join('\n')
    .replaceAll(folders.vault, '<vault>')
    .replaceAll(folders.state, '<state>');
  return masks.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), posix(text));
}

/** On Windows, a text with its absolute paths as Linux would write them. */
function posix(text: string): string {
  if (process.platform !== 'win32') return text;
  return text.replaceAll(/\b[A-Z]:((?:\\{1,2}[\w.-]+)+)/g, (_, path: string) =>
    path.replaceAll(/\\+/g, '/'),
  );
}

type Run = (
  args: readonly string[],
  given?: { stdin: string; session: string },
) => ReturnType<typeof runCli>;

/** What the clock and chance say is not the same twice; notes of the example vault have no seconds. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b|(?<="(?:time|common|created|expires)Ms": )\d+/g, '<time>'],
  [/(?<=^| {2})\d{4}-\d\d-\d\d \d\d:\d\d(?= {2})/gm, '<minute>'],
  [/(?<=\b(?:made|ends) )\d{4}-\d\d-\d\d\b/g, '<day>'],
  [/\bvd_[\w-]{43}/g, '<token>'],
  [/(?<=^|\(|"id": ")[0-9a-f]{8}(?=\)|"| {2})/gm, '<id>'],
];

/** The commands and remarks of a transcript, each with the lines of its stdin. */
function commandsOf(transcript: string): string[][] {
  const commands: string[][] = [];
  for (const line of transcript.split('\n')) {
    if (/^(\$|\/\/) /.test(line)) commands.push([line]);
    else if (/^< /.test(line)) commands.at(-1)?.push(line);
  }
  return commands;
}

/** Output without its last line end would run into the next line here. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
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

/** A short one: `npm test` has what commands do, and what they refuse, in many other tests. */
const few = ['properties.txt'];
const tried = counted({
  quick: transcripts.filter((file) => few.includes(file)),
  full: transcripts,
});

/** Some two hundred processes, all of them on a machine that may have other things to do. */
const timeout = 400_000;

/** Starts a server of the vault that allows its clients nothing; answers how many commands it did. */
async function serve(env: Record<string, string>): Promise<() => Promise<number>> {
  const words = ['serve', '--auth', 'none', '--port', '0', '--read-only', '--hide', '*.md'];
  const server = spawn(process.execPath, [bundle, ...words], { env: cliEnv(env) });
  let log = '';
  const indexed = new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes(' indexed ')) resolve();
    });
    server.once('close', () => reject(new Error(log)));
  });
  server.stdout.resume();
  await indexed;
  const closed = new Promise((resolve) => server.once('close', resolve));
  return async () => {
    server.kill();
    await closed;
    return log.split(' info command ').length - 1;
  };
}

// Side by side: each waits mostly for processes of its own.
// A second time where a server of the vault runs: it does the commands of its owner, and nobody can
// tell the difference. The last transcript is about servers themselves.
const ways = tried.flatMap((file) =>
  file === 'serving.txt' || process.platform === 'win32'
    ? [{ file, by: 'alone' }]
    : [
        { file, by: 'alone' },
        { file, by: 'server' },
      ],
);

it.concurrent.for(ways)('$file, $by', { timeout }, async ({ file, by }, context) => {
  const { expect, onTestFinished } = context;
  const vault = join(tempFolder({}, onTestFinished), 'vault');
  cpSync(example, vault, { recursive: true, preserveTimestamps: true });
  const before = contentOf(vault);
  const expected = readFileSync(join(folder, file), 'utf8');
  const cache = tempFolder({}, onTestFinished);
  const env = { OBSIDIAN_VAULT_PATH: vault, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache };
  const stop = by === 'server' ? await serve(env) : undefined;
  onTestFinished(async () => void (await stop?.()));
  const run: Run = (args, { stdin, session } = { stdin: '', session: '' }) =>
    runCli(args, { ...env, VAULTDOOR_SESSION: session }, stdin);
  const actual = await replay(expected, run, { vault, state: cache });
  if (process.env['UPDATE'] && by === 'alone') writeFileSync(join(folder, file), actual);
  else expect(actual).toBe(expected);
  // Promise 6: whatever a session did can be undone. Promise 8: nothing of ours is left then, and
  // one that only reads has changed nothing.
  const { code } = await run(['undo', '--last', '1000']);
  expect(code === 0 || code === exitCodes.not_found).toBe(true);
  expect(contentOf(vault)).toEqual(before);
  if (stop !== undefined) expect(await stop()).toBeGreaterThan(5);
});
