// Completion in the real shells: bash and zsh run in a terminal, with the script that
// `vaultdoor completion` prints. Each row types something, presses Tab, and looks at the line; rows
// with a note then press Enter, so that the shell itself shows whether the name was quoted well.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run, systemProgram, until } from './outside-programs.mjs';
import { openTerminal } from './terminal.mjs';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));
const example = fileURLToPath(new URL('../examples/vault', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-completion-'));
const vault = join(folder, 'vault');
cpSync(example, vault, { recursive: true });

/** Notes whose names a shell would take for something else, with the words that they contain. */
const odd = {
  'Two words': 'text-of-two',
  'Quark\'s "plan" (draft) & more': 'text-of-quark',
  'Zoë $HOME `x`': 'text-of-zoe',
  'Xylo; rm *?': 'text-of-xylo',
  '#Yard': 'text-of-yard',
};
for (const [name, text] of Object.entries(odd)) writeFileSync(join(vault, `${name}.md`), text);

const bin = join(folder, 'bin');
mkdirSync(bin);
// The commands as a user types them: a program in the path.
writeFileSync(join(bin, 'vaultdoor'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
  mode: 0o755,
});
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: folder,
  OBSIDIAN_VAULT_PATH: vault,
  XDG_CACHE_HOME: join(folder, 'cache'),
  XDG_STATE_HOME: join(folder, 'state'),
  PS1: '> ',
};

/** What is typed before Tab, and what the line shows then. */
const both = [
  ['vaultdoor sear', 'vaultdoor search'],
  ['vaultdoor tag ren', 'vaultdoor tag rename'],
  ['vaultdoor list --so', 'vaultdoor list --sort'],
  ['vaultdoor list --sort mod', 'vaultdoor list --sort modified'],
  ['vaultdoor list --kind=att', 'vaultdoor list --kind=attachments'],
  ['vaultdoor list proj', 'vaultdoor list Projects'],
  ['vaultdoor search x --folder=rec', 'vaultdoor search x --folder=Recipes'],
  ['vaultdoor tags cooking/s', 'vaultdoor tags cooking/soup'],
  ['vaultdoor install curs', 'vaultdoor install cursor'],
  ['vaultdoor token cr', 'vaultdoor token create'],
  ['vaultdoor serve --tag-pol', 'vaultdoor serve --tag-policy'],
  ['vaultdoor help dup', 'vaultdoor help duplicates'],
  ['vaultdoor read swif', 'vaultdoor read Swifts'],
  ['vaultdoor read recipes/sour', 'vaultdoor read Recipes/Sourdough'],
  ['vaultdoor read nothing-like-this', 'vaultdoor read nothing-like-this'],
  [`vaultdoor list --vault ${folder}/vau`, `vaultdoor list --vault ${folder}/vault/`],
  [
    `vaultdoor append A --from ${folder}/bin/v`,
    `vaultdoor append A --from ${folder}/bin/vaultdoor`,
  ],
];

/** What is typed before Tab, and the text of the note that Enter then prints. */
const notes = [
  ['vaultdoor read two', 'text-of-two'],
  ['vaultdoor read two\\ w', 'text-of-two'],
  ['vaultdoor read "two w', 'text-of-two'],
  ["vaultdoor read 'two w", 'text-of-two'],
  ['vaultdoor read quark', 'text-of-quark'],
  ['vaultdoor read zo', 'text-of-zoe'],
  ['vaultdoor read "zo', 'text-of-zoe'],
  ['vaultdoor read xyl', 'text-of-xylo'],
  ['vaultdoor read \\#y', 'text-of-yard'],
];

const shells = {
  bash: {
    words: ['bash', '--norc', '--noprofile', '-i'],
    start: 'source <(vaultdoor completion bash)',
  },
  zsh: {
    words: ['zsh', '-f', '-i'],
    start:
      'autoload -U compinit && compinit -u -d $HOME/dump && source <(vaultdoor completion zsh)',
  },
};

async function tryShell(name) {
  const { words, start } = shells[name];
  const [shell, ...rest] = words;
  const terminal = await openTerminal([await systemProgram(shell), ...rest], {
    env,
    cwd: folder,
    columns: 200,
  });
  /** Types into an empty line on an empty screen, and presses Tab. */
  const complete = async (typed) => {
    await terminal.press('C-u', 'C-l');
    await terminal.type(typed);
    await terminal.press('Tab');
  };
  /** Waits until the screen, without what scrolled away, fits. */
  const seen = async (typed, fits) => {
    let screen = '';
    const look = async () => {
      screen = await terminal.screen();
      return fits(screen);
    };
    await until(look, () => `${name}: ${typed}\n${screen}`);
  };
  try {
    await terminal.shows('>');
    await terminal.answer(`${start} && echo rea''dy`);
    await terminal.shows('ready');
    for (const [typed, expected] of both) {
      await complete(typed);
      await seen(typed, (screen) => screen.split('\n')[0] === `> ${expected}`);
    }
    for (const [typed, text] of notes) {
      await complete(typed);
      await seen(typed, (screen) =>
        /> vaultdoor read .*(?:words|more|x\\?`|[?]|Yard)/.test(screen),
      );
      await terminal.press('Enter');
      await seen(typed, (screen) => screen.split('\n')[1]?.startsWith(text));
    }
  } finally {
    await terminal.close();
  }
  process.stdout.write(`ok ${name}: ${both.length} words and ${notes.length} names of notes\n`);
}

try {
  // The tags come from the index, which a first command builds.
  const built = await run(join(bin, 'vaultdoor'), ['tags'], { env });
  assert.equal(built.code, 0, built.stderr);
  await Promise.all(Object.keys(shells).map(tryShell));
} finally {
  // A program that the shell started may still write there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
