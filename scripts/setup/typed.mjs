// What the tests of `vaultdoor setup` share: a home with apps, and typing at a terminal.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from '../outside-programs.mjs';
import { openTerminal } from '../terminal.mjs';

export const secret = 'a-key-that-nobody-may-see';
export const others = `{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x", "env": { "KEY": "${secret}" } },\n  },\n}\n`;

/** A home with Claude Desktop, which has no file yet, and Cursor, whose file has another server. */
export function withClients(place) {
  const claude = join(place.home, '.config', 'Claude', 'claude_desktop_config.json');
  const cursor = join(place.home, '.cursor', 'mcp.json');
  mkdirSync(join(claude, '..'), { recursive: true });
  mkdirSync(join(cursor, '..'));
  writeFileSync(cursor, others);
  return { ...place, claude, cursor };
}

/** Runs a command in a terminal: waits for each text and types the answer to it. */
export async function typed(place, args, answers = [], seconds = 30) {
  const terminal = await openTerminal(place.words(...args), { env: place.env, cwd: place.home });
  try {
    for (const [question, answer] of answers) {
      await terminal.shows(question, seconds);
      if (answer === 'Ctrl-C') await terminal.press('C-c');
      else await terminal.answer(answer);
    }
    const code = await terminal.ended(seconds);
    return { code, text: await terminal.history() };
  } catch (error) {
    return { code: 'hangs', text: String(error) };
  } finally {
    await terminal.close();
  }
}

/** Runs a command without a terminal. */
export function piped(place, ...args) {
  const [file, ...words] = place.words(...args);
  return run(file, words, { env: place.env, cwd: place.home });
}

/** Every file in a home with its text, but for backups and what the program keeps for itself. */
export function filesIn(home) {
  const all = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/^(\.cache|\.local)(\/|$)|\.vaultdoor-backup/.test(relative(home, file)));
  return JSON.stringify(all.sort().map((file) => [file, readFileSync(file, 'latin1')]));
}

export const enter = '';
export const askVault = [/Which vault\?|Use the vault "/, enter];
export const askApps = ['Which apps may use it?', enter];
export const askRight = [/What may .+ do\?/, enter];
export const askWrite = [/Write (this change|these \d changes)\?/, enter];
export const askAddress = ['Who reaches the server?', '2'];
export const askServer = ['Do this?', enter];
export const allQuestions = [askVault, askApps, askRight, askWrite];
