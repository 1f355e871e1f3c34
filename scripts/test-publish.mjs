// Tests `adr_publish` of the built server with the real git. A decision record (ADR) of the vault
// is committed to a checkout, pushed to a bare remote, or put on a branch with a pull request (with
// a stand-in for gh). Nothing else in the checkout may change. If something cannot be run, that is
// a failure, not a skip.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { connectClient } from './mcp-client.mjs';
import {
  check,
  run,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
} from './outside-programs.mjs';

const gitProgram = await systemProgram('git');
const { home, env } = temporaryHome('publish');
// A PATH on which the only gh is our stand-in.
const programs = join(home, 'programs');
mkdirSync(programs);
symlinkSync(gitProgram, join(programs, 'git'));
const gitEnv = { ...env, PATH: `${programs}:/usr/lib/git-core:/bin` };
writeFileSync(
  join(home, '.gitconfig'),
  '[user]\nname = Test\nemail = test@example.com\n[init]\ndefaultBranch = main\n',
);
const path = 'adr/ADR-001-use-sqlite.md';
const file = 'docs/adr/ADR-001-use-sqlite.md';
const note = '---\nadr: 1\n---\n\n# Use SQLite\n\nBecause.\n';

function write(folder, name, text, mode = 0o644) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text, { mode });
}

/** Runs git in a folder and returns its output. Throws if git fails. */
async function git(folder, ...args) {
  const answer = await run('git', args, { cwd: folder, env: { ...env, PATH: process.env.PATH } });
  if (answer.code !== 0) throw new Error(`git ${args.join(' ')}:\n${answer.stderr}`);
  return answer.stdout.trim();
}

/** Makes a vault, a bare remote and a checkout of it, and starts a server that publishes to it. */
async function open(name, mode, ...options) {
  const [vault, remote, checkout] = ['vault', 'remote.git', 'checkout'].map((last) =>
    join(home, name, last),
  );
  write(vault, path, note);
  await git(home, 'init', '--quiet', '--bare', remote);
  await git(home, 'init', '--quiet', checkout);
  write(checkout, 'README.md', 'Hello\n');
  await git(checkout, 'add', '.');
  await git(checkout, 'commit', '--quiet', '-m', 'First');
  await git(checkout, 'remote', 'add', 'origin', remote);
  await git(checkout, 'push', '--quiet', '-u', 'origin', 'main');
  const words = ['--vault', vault, '--adr-repo', checkout, '--adr-publish', mode, ...options];
  // The server gets its own folder for temporary files, so that they can be counted.
  const temporary = join(home, name, 'tmp');
  mkdirSync(temporary);
  const server = await startServer(serveWords(...words), { ...gitEnv, TMPDIR: temporary });
  const client = await connectClient(server.url);
  return {
    vault,
    remote,
    checkout,
    publish: (which = path) => client.call('adr_publish', { path: which }),
    git: (...args) => git(checkout, ...args),
    async close() {
      await client.close();
      check(`${mode}: nothing temporary is left`, readdirSync(temporary).length === 0, temporary);
      check(`${mode}: the server ends`, (await server.stop()) === 0, server.seen);
      const isQuiet = !/sqlite|because/i.test(server.seen.stderr);
      check(`${mode}: the log says nothing of notes`, isQuiet, server.seen.stderr);
    },
  };
}

async function commits() {
  const opened = await open('commit', 'commit', '--adr-hooks');
  const { vault, checkout, publish } = opened;
  write(checkout, 'README.md', 'Edited by somebody\n');
  write(checkout, 'staged.md', 'Staged by somebody\n');
  await opened.git('add', 'staged.md');
  const status = await opened.git('status', '--porcelain');
  const made = await publish();
  const head = await opened.git('rev-parse', 'HEAD');
  const { commit, branch, pushed, notes } = made.value;
  const isRight = commit === head && branch === 'main' && !pushed && notes.length === 0;
  check('commit: it is committed', made.ok && isRight, made);
  const shown = await opened.git('show', '--name-status', '--format=%s', 'HEAD');
  check(
    'commit: nothing else is committed',
    shown === `Add ADR-001: Use SQLite\n\nA\t${file}`,
    shown,
  );
  check(
    'commit: the text is that of the note',
    readFileSync(join(checkout, file), 'utf8') === note,
    'no',
  );
  const after = await opened.git('status', '--porcelain');
  check("commit: somebody's changes stay as they were", after === status, [status, after]);

  const again = await publish();
  const isSame = again.ok && again.value.commit === undefined && again.value.notes.length === 1;
  check('commit: the same text is not committed again', isSame, again);
  check(
    'commit: publishing the same text makes no commit',
    (await opened.git('rev-parse', 'HEAD')) === head,
    'it was',
  );
  write(vault, path, `${note}More.\n`);
  const updated = await publish();
  const subject = await opened.git('log', '-1', '--format=%s');
  check('commit: an edited one is updated', subject === 'Update ADR-001: Use SQLite', updated);

  // Each row: what is wrong, the record to publish, how to make it wrong, how to put it right
  // again, and a text of the refusal.
  const untracked = join(checkout, 'docs/adr/ADR-002-new.md');
  write(vault, 'adr/ADR-002-new.md', '# New\n');
  for (const [what, which, before, undo, says] of [
    [
      'changes of that file that are not committed',
      path,
      () => write(checkout, file, 'Mine\n'),
      () => opened.git('checkout', '--', file),
      'not committed',
    ],
    [
      'a deletion of it that is not committed',
      path,
      () => rmSync(join(checkout, file)),
      () => opened.git('checkout', '--', file),
      'not committed',
    ],
    [
      'a file of that name that is not tracked',
      'adr/ADR-002-new.md',
      () => writeFileSync(untracked, 'Mine\n'),
      () => rmSync(untracked),
      'not committed',
    ],
    [
      'a symlink at its place',
      'adr/ADR-002-new.md',
      () => symlinkSync(join(home, 'elsewhere.md'), untracked),
      () => rmSync(untracked),
      'symlink',
    ],
    [
      'a merge that is under way',
      'adr/ADR-002-new.md',
      () => writeFileSync(join(checkout, '.git/MERGE_HEAD'), `${head}\n`),
      () => rmSync(join(checkout, '.git/MERGE_HEAD')),
      'middle of a merge',
    ],
    [
      'no branch',
      'adr/ADR-002-new.md',
      () => opened.git('checkout', '--quiet', '--detach'),
      () => opened.git('checkout', '--quiet', 'main'),
      'on no branch',
    ],
    [
      'a hook that refuses',
      'adr/ADR-002-new.md',
      () =>
        write(checkout, '.git/hooks/pre-commit', '#!/bin/sh\necho No, thanks >&2\nexit 1\n', 0o755),
      () => rmSync(join(checkout, '.git/hooks/pre-commit')),
      'No, thanks',
    ],
    [
      'a note that is no ADR',
      'README.md',
      () => undefined,
      () => undefined,
      'not a decision record',
    ],
  ]) {
    await before();
    const [tip, state] = [await opened.git('rev-parse', 'HEAD'), await seen(opened)];
    const answer = await publish(which);
    const isUntouched = (await opened.git('rev-parse', 'HEAD')) === tip;
    const isTold = !answer.ok && answer.text.includes(says) && !answer.text.includes(home);
    check(`commit: refused with ${what}`, isTold, answer);
    check('commit: and nothing is touched', isUntouched && (await seen(opened)) === state, state);
    await undo();
  }
  await opened.close();
}

async function refusesLinks() {
  const opened = await open('linked', 'commit');
  const outside = join(home, 'outside');
  mkdirSync(outside);
  mkdirSync(join(opened.checkout, 'docs'));
  symlinkSync(outside, join(opened.checkout, 'docs/adr'));
  const answer = await opened.publish();
  check('commit: not through a symlink', !answer.ok && answer.text.includes('symlink'), answer);
  check('commit: nothing is written outside', readdirSync(outside).length === 0, outside);
  await opened.close();
}

async function pushes() {
  const opened = await open('push', 'push');
  const { remote, vault, publish } = opened;
  const made = await publish();
  const tip = () => git(remote, 'rev-parse', 'main');
  check('push: it is pushed', made.value.pushed && made.value.commit === (await tip()), made);
  const other = join(home, 'push', 'other');
  await git(home, 'clone', '--quiet', remote, other);
  write(other, 'else.md', 'Else\n');
  await git(other, 'add', '.');
  await git(other, 'commit', '--quiet', '-m', 'Else');
  await git(other, 'push', '--quiet');
  write(vault, path, `${note}More.\n`);
  const refused = await publish();
  const isTold = refused.text.includes('stays') && refused.text.includes('fetch first');
  check('push: a push that is refused says that the commit stays', !refused.ok && isTold, refused);
  await opened.git('pull', '--quiet', '--rebase');
  const again = await publish();
  const isPushed = again.value.pushed && again.value.commit === undefined;
  check('push: publishing again pushes it', isPushed, again);
  check(
    'push: the remote has it',
    (await tip()) === (await opened.git('rev-parse', 'HEAD')),
    again,
  );
  await opened.git('branch', '--unset-upstream');
  write(vault, path, `${note}Once more.\n`);
  const before = await opened.git('rev-parse', 'HEAD');
  const nowhere = await publish();
  check('push: without an upstream it is refused', nowhere.text.includes('git push -u'), nowhere);
  check('push: before the commit', (await opened.git('rev-parse', 'HEAD')) === before, nowhere);
  await opened.close();
}

async function opensPullRequests() {
  const opened = await open('branch', 'pull-request', '--adr-hooks');
  const { remote, checkout, vault, publish } = opened;
  const branch = 'adr/ADR-001-use-sqlite';
  await opened.git('checkout', '--quiet', '-b', 'mine');
  write(checkout, 'README.md', 'Edited by somebody\n');
  write(checkout, '.git/hooks/pre-commit', `#!/bin/sh\necho ran >> ${join(home, 'hook')}\n`, 0o755);
  const state = await seen(opened);
  const made = await publish();
  const tip = () => git(remote, 'rev-parse', branch);
  const isPushed = made.value.pushed && made.value.branch === branch;
  check('branch: it is pushed', isPushed && made.value.commit === (await tip()), made);
  check('branch: without gh a note says so', made.value.notes[0]?.includes('gh'), made);
  const log = await git(remote, 'log', '--format=%s', branch);
  check('branch: from the main branch', log === 'Add ADR-001: Use SQLite\nFirst', log);
  check('branch: hooks ran', existsSync(join(home, 'hook')), home);
  check('branch: the checkout is untouched', (await seen(opened)) === state, state);

  const gh = join(programs, 'gh');
  const said = join(home, 'gh.log');
  const script = `#!/bin/sh
echo "$@" >> ${said}
case "$1 $2" in
  "pr create") echo https://example.com/pull/7 ; touch ${home}/opened ;;
  "pr list") if [ -e ${home}/opened ]; then echo https://example.com/pull/7; fi ;;
esac
`;
  writeFileSync(gh, script);
  chmodSync(gh, 0o755);
  const pulled = await publish();
  const address = 'https://example.com/pull/7';
  const isOpened = pulled.value.pull_request === address && pulled.value.commit === undefined;
  check('branch: with gh the pull request is opened', isOpened, pulled);
  check('branch: to the main branch', readFileSync(said, 'utf8').includes('--base main'), said);
  write(vault, path, `${note}More.\n`);
  const updated = await publish();
  check('branch: an edited one goes to the same', updated.value.pull_request === address, updated);
  const both = await git(remote, 'log', '--format=%s', `main..${branch}`);
  const subjects = 'Update ADR-001: Use SQLite\nAdd ADR-001: Use SQLite';
  check('branch: as one commit more', both === subjects, both);

  await git(remote, 'update-ref', 'refs/heads/main', await tip());
  const merged = await publish();
  const isDone = merged.ok && !merged.value.pushed && merged.value.notes.length === 1;
  check('branch: once it is merged there is nothing to do', isDone, merged);
  writeFileSync(gh, '#!/bin/sh\necho not logged in >&2\nexit 4\n');
  write(vault, path, `${note}Once more.\n`);
  const without = await publish();
  const isNoted = without.value.pushed && without.value.notes[0]?.includes('not logged in');
  check('branch: a gh that fails is a note', isNoted, without);
  check('branch: the checkout is still untouched', (await seen(opened)) === state, state);
  await opened.close();
}

/** Everything in a checkout that runs a program when git is used there. */
async function trap({ checkout, git: inCheckout }, sprung, { isBranch }) {
  const script = (name) => `#!/bin/sh\necho ${name} >> ${sprung}\n`;
  for (const hook of [
    'pre-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-commit',
    'pre-push',
  ]) {
    write(checkout, `.git/hooks/${hook}`, script(hook), 0o755);
  }
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
    write(checkout, `.git/hooks/${hook}`, script(hook), 0o755);
  }
  write(checkout, '.git/watch', script('fsmonitor'), 0o755);
  await inCheckout('config', 'core.fsmonitor', join(checkout, '.git/watch'));
  write(checkout, '.git/clean', `#!/bin/sh\necho clean >> ${sprung}\nsed s/Because/Why/\n`, 0o755);
  for (const [name, ...commands] of [
    ['evil.one', 'clean', 'smudge'],
    ['Two', 'clean', 'smudge'],
    ['', 'clean', 'smudge'],
  ]) {
    for (const command of commands) {
      await inCheckout('config', `filter.${name}.${command}`, join(checkout, '.git/clean'));
    }
    await inCheckout('config', `filter.${name}.required`, 'true');
  }
  // A filter that is defined in worktrees only, and one without a name.
  const hidden = join(checkout, '.git/only-in-worktrees');
  writeFileSync(hidden, `[filter "three"]\nclean = ${join(checkout, '.git/clean')}\n`);
  await inCheckout('config', 'includeIf.gitdir:**/worktrees/**.path', hidden);
  const attributes = [
    '*.md filter=evil.one',
    'README.md filter=Two',
    ...(isBranch ? ['*-use-sqlite.md filter=three'] : []),
  ];
  write(checkout, '.git/info/attributes', `${attributes.join('\n')}\n`);
}

/** No program of the checkout runs, in any mode; with --adr-hooks they do, and the answer tells it. */
async function runsNothing() {
  for (const mode of ['commit', 'push', 'pull-request']) {
    const opened = await open(`quiet-${mode}`, mode);
    const sprung = join(home, `sprung-${mode}`);
    await trap(opened, sprung, { isBranch: mode === 'pull-request' });
    const made = await opened.publish();
    const ran = existsSync(sprung) ? readFileSync(sprung, 'utf8') : '';
    check(`${mode}: no hook, filter or watcher of the checkout runs`, made.ok && ran === '', [
      made,
      ran,
    ]);
    const { stdout: text } = await run('git', ['cat-file', '-p', `${made.value.commit}:${file}`], {
      cwd: opened.checkout,
    });
    check(`${mode}: what is committed is the note`, text === note, text);
    const remarks = made.value.notes.filter((remark) => !remark.includes('gh'));
    check(`${mode}: and nothing is remarked`, remarks.length === 0, made);
    await opened.close();
  }
  const opened = await open('loud', 'commit', '--adr-hooks');
  const sprung = join(home, 'sprung-loud');
  await trap(opened, sprung, { isBranch: false });
  const made = await opened.publish();
  const ran = existsSync(sprung) ? readFileSync(sprung, 'utf8') : '';
  const isAll = ['pre-commit', 'clean', 'fsmonitor'].every((name) => ran.includes(name));
  check('with --adr-hooks they run', made.ok && isAll, [made, ran]);
  const isTold = made.value.notes.some((remark) => remark.includes('not the text of the note'));
  check('and a text that a filter changed is remarked', isTold, made);
  await opened.close();
}

await Promise.all([commits(), refusesLinks(), pushes(), opensPullRequests(), runsNothing()]);

/** The state of a checkout as one string: everything that a user would miss if it were lost. */
async function seen({ git: inCheckout }) {
  const asked = [
    ['status', '--porcelain', '--branch', '--untracked-files=all'],
    ['diff'],
    ['diff', '--cached'],
    ['branch', '--list'],
    ['worktree', 'list'],
    ['stash', 'list'],
  ];
  const answers = [];
  for (const args of asked) answers.push(await inCheckout(...args));
  return answers.join('\n');
}
