// Setting up the apps on this machine.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { soundHome } from '../broken-environments.mjs';
import { check, exampleVault } from '../outside-programs.mjs';
import {
  allQuestions,
  askRight,
  askVault,
  askWrite,
  enter,
  filesIn,
  others,
  piped,
  secret,
  typed,
  withClients,
} from './typed.mjs';

/** First run, run again, another right, undo. */
export async function apps() {
  const place = withClients(await soundHome('setup-apps'));
  exampleVault(join(place.home, 'Work'));
  const { home, claude, cursor } = place;
  const list = join(home, '.config', 'obsidian', 'obsidian.json');
  const known = JSON.parse(readFileSync(list, 'utf8'));
  known.vaults.fedcba9876543210 = { path: join(home, 'Work'), ts: 1_600_000_000_000 };
  writeFileSync(list, JSON.stringify(known));
  const before = filesIn(home);

  const first = await typed(place, ['setup'], allQuestions);
  const reads = 'Claude Desktop and Cursor can read 44 notes in "Notes" and may change them.';
  check('setup: Enter at each question connects both apps', first.code === 0, first);
  check('setup makes the first call and says what can be read', first.text.includes(reads), first);
  check('setup shows both vaults', /1 {2}Notes .*\n {2}2 {2}Work /.test(first.text), first);
  check('setup shows no secret of others', !first.text.includes(secret), first);
  check(
    'setup says in words what is written, and shows only added lines',
    first.text.includes(`Adds Vaultdoor to the settings of Cursor, in ${cursor}. Nothing else`) &&
      first.text.includes('\n  + "vaultdoor": {\n') &&
      !/diff --git|@@|"other"|…"/.test(first.text),
    first,
  );
  const says = ['Start Claude Desktop', 'vaultdoor console --vault', 'vaultdoor setup --undo'];
  check(
    'setup says what to do next',
    says.every((text) => first.text.includes(text)),
    first,
  );
  check(
    'setup ends with the first question to ask',
    /\n {2}3\. Ask one of them: "What did I write in my notes last week\?"[\s\S]+say yes\.\s*$/.test(
      first.text,
    ),
    first,
  );
  const entry = JSON.parse(readFileSync(claude, 'utf8')).mcpServers.vaultdoor;
  check('the entry has absolute paths', entry.command === process.execPath, entry);
  check(
    'Enter lets apps change notes, which is what the question advises',
    !entry.args.includes('--propose') &&
      /1 {2}Read and change notes.* Take this if you are unsure\.\n/.test(first.text) &&
      /you can change it later\. \[1\]/.test(first.text),
    first,
  );
  const kept = readFileSync(cursor, 'utf8');
  check("the other server's entry stays", kept.includes(`"KEY": "${secret}"`), kept);

  const written = filesIn(home);
  const again = await typed(place, ['setup'], allQuestions.slice(0, 3));
  const isKnown = again.text.includes('Cursor already uses "Notes".') && again.code === 0;
  check(
    'setup again: it is known, and the first call is made',
    isKnown && again.text.includes(reads),
    again,
  );
  check('setup again: nothing is written', filesIn(home) === written, again);

  const change = [askVault, ['Which apps', '2'], ['What may Cursor do?', '2'], askWrite];
  const other = await typed(place, ['setup'], change);
  const args = JSON.parse(readFileSync(claude, 'utf8')).mcpServers.vaultdoor.args;
  check(
    'setup again: another right for one app',
    other.code === 0 &&
      !args.includes('--propose') &&
      other.text.includes('This is how it is now.'),
    other,
  );
  check('that app may only propose', readFileSync(cursor, 'utf8').includes('"--propose"'), other);
  const more = await piped(place, 'setup', '--yes', '--vault', place.vault, '--client', 'cursor');
  check(
    '--yes keeps what the app may do',
    readFileSync(cursor, 'utf8').includes('"--propose"'),
    more,
  );

  const undone = await typed(place, ['setup', '--undo'], [['Do this?', enter]]);
  check(
    'undo: says what it took out',
    /taken out of Claude Desktop and Cursor/.test(undone.text),
    undone,
  );
  check(
    'undo: names the options that setup does not set again',
    /vaultdoor install cursor --vault .+ -- --propose\n/.test(undone.text) &&
      !undone.text.includes('install claude-desktop'),
    undone,
  );
  const backups = readdirSync(join(cursor, '..')).filter((name) => name.includes('-backup'));
  check(
    'undo: names each backup that is left, and no other',
    JSON.stringify(undone.text.match(/mcp\.json\.vaultdoor-backup[-\d]*/g) ?? []) ===
      JSON.stringify(backups),
    { backups, undone },
  );
  check('undo: every file is as it was, and the new one is gone', filesIn(home) === before, undone);
  const nothing = await typed(place, ['setup', '--undo']);
  check(
    'undo again: there is nothing to take back',
    nothing.code === 0 && nothing.text.includes('nothing to take back'),
    nothing,
  );
}

/** Another server for the same vault: taken out when the person says so, and put back by undo. */
export async function otherServers() {
  const place = withClients(await soundHome('setup-others'));
  const entry = { command: 'npx', args: ['mcpvault', place.vault], env: { KEY: secret } };
  writeFileSync(place.cursor, JSON.stringify({ mcpServers: { obsidian: entry } }, undefined, 2));
  const before = filesIn(place.home);
  const asks = 'Take "obsidian" (mcpvault) out of Cursor?';
  const kept = await typed(place, ['setup'], [...allQuestions, [asks, enter]]);
  const names = () => Object.keys(JSON.parse(readFileSync(place.cursor, 'utf8')).mcpServers);
  check('another server: Enter leaves it', kept.code === 0 && names().length === 2, kept);
  check(
    'another server: before the change it says that it asks later, and nothing of editing by hand',
    kept.text.includes(
      'Cursor also has "obsidian" (mcpvault) for this vault. You are asked about it next.',
    ) && !kept.text.includes('out of the file'),
    kept,
  );
  const taken = await typed(place, ['setup'], [...allQuestions.slice(0, 3), [asks, 'y']]);
  check('another server: y takes it out', taken.code === 0 && names().length === 1, taken);
  check(
    'another server: it says that its changes cannot be undone here',
    taken.text.includes('what the other one changes cannot be undone here') &&
      !taken.text.includes('does not limit'),
    taken,
  );
  check(
    'another server: its command line is shown before the question',
    taken.text.includes(`\n  "obsidian": npx mcpvault ${place.vault}\n`),
    taken,
  );
  const backups = readdirSync(join(place.cursor, '..')).filter((name) => name.includes('-backup'));
  const said = `${kept.text}\n${taken.text}`.match(/mcp\.json\.vaultdoor-backup[-\d]*/g) ?? [];
  check(
    'another server: each backup is said once',
    JSON.stringify(said.toSorted()) === JSON.stringify(backups.toSorted()) && said.length === 2,
    { backups, said, taken },
  );
  check('another server: its secret is not shown', !taken.text.includes(secret), taken);
  check(
    'another server: it says to restart the app',
    taken.text.includes('Restart Claude Desktop and Cursor for this to take effect'),
    taken,
  );
  const undone = await typed(place, ['setup', '--undo'], [['Do this?', enter]]);
  check(
    'another server: undo puts it back, and says so',
    filesIn(place.home) === before &&
      undone.text.includes('"obsidian" (mcpvault) is back in Cursor.'),
    undone,
  );

  await typed(place, ['setup'], [...allQuestions, [asks, 'y']]);
  const edited = { ...JSON.parse(readFileSync(place.cursor, 'utf8')), theme: 'dark' };
  writeFileSync(place.cursor, JSON.stringify(edited, undefined, 2));
  const back = await typed(place, ['setup', '--undo'], [['Do this?', enter]]);
  const now = JSON.parse(readFileSync(place.cursor, 'utf8'));
  check(
    'another server: undo puts it back also where something else has changed',
    JSON.stringify(now) === JSON.stringify({ mcpServers: { obsidian: entry }, theme: 'dark' }) &&
      back.text.includes('+ "obsidian": { … }') &&
      back.text.includes('"obsidian" (mcpvault) is back in Cursor.'),
    { now, back },
  );
}

/** Rights that an app has are kept: those of a server that only reads, and of an entry to correct. */
export async function keptRights() {
  const place = withClients(await soundHome('setup-rights'));
  const args = ['-y', '@mauricio.wolff/mcp-obsidian@latest', place.vault, '--read-only'];
  const obsidian = { command: 'npx', args };
  writeFileSync(place.cursor, JSON.stringify({ mcpServers: { obsidian } }, undefined, 2));
  const answers = [...allQuestions, ['out of Cursor?', enter]];
  const first = await typed(place, ['setup'], answers);
  check(
    'setup beside a server that only reads: Enter only reads',
    first.code === 0 &&
      first.text.includes('3  Only read notes. This is what "obsidian" may do.') &&
      first.text.includes('and may only read.') &&
      first.text.includes('That Vaultdoor may only read does not limit it.') &&
      first.text.includes('"obsidian" (mcpvault, by its former name)'),
    first,
  );
  const file = JSON.parse(readFileSync(place.cursor, 'utf8'));
  file.mcpServers.vaultdoor.env.OBSIDIAN_VAULT_PATH = `${place.vault}z`;
  file.mcpServers.vaultdoor.args.push('--hide', 'People/**');
  writeFileSync(place.cursor, JSON.stringify(file, undefined, 2));
  const words = ['setup', '--yes', '--client', 'cursor', '--vault', place.vault];
  const mended = await piped(place, ...words);
  const servers = JSON.parse(readFileSync(place.cursor, 'utf8')).mcpServers;
  check(
    'setup corrects an entry with a wrong path, and keeps its limits',
    mended.code === 0 &&
      Object.keys(servers).join() === 'obsidian,vaultdoor' &&
      servers.vaultdoor.env.OBSIDIAN_VAULT_PATH === place.vault &&
      servers.vaultdoor.args.slice(2).join(' ') === '--read-only --hide People/**' &&
      mended.stdout.includes('which does not exist. It keeps its options: --read-only') &&
      mended.stdout.includes("What --hide 'People/**' names is hidden from Cursor."),
    mended,
  );
  servers.vaultdoor.env.OBSIDIAN_VAULT_PATH = '/nowhere/Old';
  writeFileSync(place.cursor, JSON.stringify({ mcpServers: { vaultdoor: servers.vaultdoor } }));
  const moved = await typed(
    place,
    ['setup', '--client', 'cursor'],
    [askVault, ['Is "Notes" the vault that was "/nowhere/Old" before?', enter], askRight, askWrite],
  );
  const now = JSON.parse(readFileSync(place.cursor, 'utf8')).mcpServers;
  check(
    'setup asks whether the vault is the one of an entry that leads nowhere, and corrects that',
    moved.code === 0 &&
      Object.keys(now).join() === 'vaultdoor' &&
      now.vaultdoor.env.OBSIDIAN_VAULT_PATH === place.vault &&
      now.vaultdoor.args.slice(2).join(' ') === '--read-only --hide People/**' &&
      moved.text.includes('This is how it is now.') &&
      moved.text.includes("What --hide 'People/**' names is hidden from Cursor."),
    moved,
  );
  writeFileSync(place.claude, '{"mcpServers": {"vaultdoor": {');
  const broken = await piped(place, 'setup', '--undo', '--yes');
  check(
    'undo with a file that cannot be read: does the others, and fails',
    broken.code === 2 &&
      broken.stdout.includes('Vaultdoor is taken out of Cursor.') &&
      broken.stdout.includes('Claude Desktop may still have Vaultdoor.'),
    broken,
  );
}

/** Ctrl-C at each question. */
export async function interrupted() {
  const place = withClients(await soundHome('setup-interrupted'));
  const before = filesIn(place.home);
  for (let at = 0; at < allQuestions.length; at++) {
    const answers = allQuestions
      .slice(0, at + 1)
      .map(([text], i) => [text, i === at ? 'Ctrl-C' : enter]);
    const ended = await typed(place, ['setup'], answers);
    const isSame = filesIn(place.home) === before;
    check(
      `setup: Ctrl-C at question ${at + 1} leaves every file`,
      ended.code === 130 && isSame,
      ended,
    );
  }
  const no = await typed(place, ['setup'], [...allQuestions.slice(0, 3), [askWrite[0], 'n']]);
  check('setup: "n" writes nothing', no.code === 0 && filesIn(place.home) === before, no);
}

/** Answers that make no sense, a typed folder, no client, and a first call that fails. */
export async function oddAnswers() {
  const place = withClients(await soundHome('setup-odd'));
  const folder = exampleVault(join(place.home, 'My notes'));
  const answers = [
    ['Use the vault "Notes"', '7'],
    ['"7" is neither y nor n, nor a path', join(place.home, 'nowhere')],
    ['it does not exist', place.home],
    ['there are vaults in it', `'${folder}'`],
    ['Which apps', '3'],
    ['"3" is no choice', '2'],
    askRight,
    askWrite,
  ];
  const ended = await typed(place, ['setup'], answers);
  const isRead = ended.text.includes('Cursor can read 44 notes in "My notes" and may');
  check('setup: asks again, and takes a typed folder', ended.code === 0 && isRead, ended);

  const single = await soundHome('setup-one-app');
  mkdirSync(join(single.home, '.cursor'));
  const one = await typed(
    single,
    ['setup'],
    [
      ['Type y, n, or the path of another folder. [y]', 'n'],
      ['Where are your notes?', single.vault],
      askRight,
      [askWrite[0], 'yes'],
    ],
  );
  check(
    'setup with one vault and one app asks for no numbers of them',
    one.code === 0 &&
      one.text.includes('The app that was found here is Cursor.') &&
      !/Which (vault|apps)/.test(one.text),
    one,
  );

  const bare = await soundHome('setup-no-app');
  const none = await typed(bare, ['setup']);
  const knows = none.text.includes('Claude Desktop, Claude Code, Cursor and VS Code');
  check(
    'setup without an app: says which it knows, and what to paste',
    none.code === 3 && knows && none.text.includes('"mcpServers"'),
    none,
  );
}

/** Without a terminal. */
export async function scripts() {
  const place = withClients(await soundHome('setup-script'));
  const before = filesIn(place.home);
  const usual = await piped(place, 'setup');
  check('a script: a new app may change notes', usual.stdout.includes('--allow change'), usual);
  const dry = await piped(place, 'setup', '--client', 'cursor', '--allow', 'read');
  const [, command = ''] = /^ {2}vaultdoor (setup --yes .+)$/m.exec(dry.stdout) ?? [];
  check(
    'a script: only shows the change, and the command',
    dry.code === 0 && command !== '' && filesIn(place.home) === before,
    dry,
  );
  const did = await piped(place, ...command.split(' '));
  check(
    'a script: the command does it',
    did.code === 0 && did.stdout.includes('Cursor can read 44 notes'),
    did,
  );
  check(
    'a script: --allow read',
    readFileSync(place.cursor, 'utf8').includes('"--read-only"') &&
      did.stdout.includes('and may only read.'),
    did,
  );
  const work = exampleVault(join(place.home, 'Work'));
  const env = { ...place.env, OBSIDIAN_VAULT_PATH: work };
  const back = await piped(
    { ...place, env },
    'setup',
    '--yes',
    '--allow',
    'change',
    '--client',
    'cursor',
  );
  const says = ['Restart Cursor for this to take effect', '--client cursor --allow read --vault'];
  check(
    'a script: --allow alone is about the vault that the app has, and says how to take it back',
    back.code === 0 &&
      says.every((text) => back.stdout.includes(text)) &&
      !readFileSync(place.cursor, 'utf8').includes('"--read-only"'),
    back,
  );
  const json = await piped(place, 'setup', '--json', '--yes');
  const answer = JSON.parse(json.stdout);
  check('a script: --json', answer.firstCall.notes === 44 && !json.stdout.includes(secret), json);
  const bad = await piped(place, 'setup', '--client', 'emacs');
  check(
    'a script: an unknown app',
    bad.code === 2 && bad.stderr.includes('There is no app "emacs"'),
    bad,
  );
  const missing = await piped(place, 'setup', '--yes', '--client', 'vscode');
  check(
    'a script: an app that is not there',
    missing.code === 3 && missing.stderr.includes('VS Code was not found'),
    missing,
  );
  const undone = await piped(place, 'setup', '--undo', '--yes', '--json');
  check(
    'a script: undo',
    JSON.parse(undone.stdout).written && readFileSync(place.cursor, 'utf8') === others,
    undone,
  );
}
