import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VaultError } from '../../../base/vault-error.ts';
import type { Published, Publisher } from '../../../engine/ports/publisher.ts';
import type { ProgramPlace } from '../find-program.ts';
import { readCheckoutFile } from './checkout-file.ts';
import { commitFile } from './commit-file.ts';
import { Git, GitRunner, gitFailed } from './git.ts';
import { openPullRequest } from './open-pull-request.ts';

/** How far publishing goes. */
export type PublishMode = 'commit' | 'push' | 'pull-request';

interface GitPublisherOptions extends ProgramPlace {
  /** The checkout that was named at the start of the program (`--adr-repo`). */
  readonly checkout: string;
  readonly mode: PublishMode;
  /** Whether git may run the hooks and filters of the checkout (`--adr-hooks`). */
  readonly hooks: boolean;
}

type PublishedFile = Parameters<Publisher['publish']>[0];
type PublishOptions = Parameters<Publisher['publish']>[1];

/** The folder in the checkout, for decision records (ADR). */
const folder = 'docs/adr';

/** Publishes files into `docs/adr/` of a git checkout, one at a time. Runs git only when called. */
export function openGitPublisher(options: GitPublisherOptions): Publisher {
  const runner = new GitRunner(options);
  let last: Promise<unknown> = Promise.resolve(); // Never rejects.
  return {
    publish: (file, how) => {
      const work = (): Promise<Published> => publish(runner, options, file, how);
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function publish(
  runner: GitRunner,
  { checkout, mode, hooks }: GitPublisherOptions,
  file: PublishedFile,
  options: PublishOptions,
): Promise<Published> {
  const opened = await openCheckout(runner, checkout, options.signal);
  const git = opened.with(hooks ? noSettings : await withoutFilters(opened));
  options.onProgress({ done: 1, message: 'Writing and committing the file.' });
  if (mode === 'pull-request') return publishBranch(git, file, options);
  const branch = await branchOf(git);
  // Looked up first, so that nothing is committed that cannot be pushed.
  const upstream = mode === 'push' ? await upstreamOf(git, branch) : undefined;
  const path = `${folder}/${file.name}`;
  const commit = await commitFile(git, { path, ...file });
  const notes = await notesOn(git, { path, commit, bytes: file.bytes });
  const result = { file: path, ...(commit === undefined ? {} : { commit }), branch, notes };
  if (upstream === undefined || !(await isAhead(git, path))) {
    return { ...result, pushed: false };
  }
  options.onProgress({ done: 2, message: 'Pushing.' });
  await push(git, upstream.remote, `refs/heads/${branch}:${upstream.ref}`, { keptCommit: commit });
  return { ...result, pushed: true };
}

/**
 * Publishes on a branch of its own. The file is committed in a temporary worktree, so that no files or
 * branches of the checkout are touched, and pushed from there. If the branch exists and is not merged,
 * it gets one more commit; if it was merged, it starts again from the main branch.
 */
async function publishBranch(
  git: Git,
  file: PublishedFile,
  options: PublishOptions,
): Promise<Published> {
  const path = `${folder}/${file.name}`;
  const branch = `adr/${file.name.replace(/\.md$/, '')}`;
  const remote = await remoteOf(git);
  const base = await baseOf(git, remote);
  const theirs = await branchTip(git, remote, branch);
  const isMerged = theirs !== undefined && (await isAncestor(git, theirs, base.commit));
  const start = theirs === undefined || isMerged ? base.commit : theirs;
  const commit = await inWorktree(git, start, (worktree) =>
    commitFile(worktree, { path, ...file }),
  );
  if (commit === undefined && start === base.commit) {
    return {
      file: path,
      pushed: false,
      notes: await notesOn(git, { path, commit, bytes: file.bytes }),
    };
  }
  if (commit !== undefined) {
    options.onProgress({ done: 2, message: 'Pushing.' });
    await push(git, remote, `${commit}:refs/heads/${branch}`, {});
  }
  options.onProgress({ done: 3, message: 'Opening a pull request.' });
  const opened = await openPullRequest(git, { branch, base: base.branch, title: file.title });
  const own = await notesOn(git, { path, commit, bytes: file.bytes });
  const notes = [...own, ...opened.notes];
  return {
    file: path,
    ...(commit === undefined ? {} : { commit }),
    branch,
    pushed: commit !== undefined,
    ...(opened.address === undefined ? {} : { pullRequest: opened.address }),
    notes,
  };
}

/** Opens the checkout. Fails with `unavailable` when it is missing or not the top folder of one. */
async function openCheckout(
  runner: GitRunner,
  checkout: string,
  signal: AbortSignal,
): Promise<Git> {
  if (!existsSync(checkout)) {
    throw new VaultError('unavailable', 'The git checkout of the server no longer exists.');
  }
  // What runs before `withoutFilters` is known must not run the checkout's programs either.
  const git = new Git(runner, { folder: realpathSync.native(checkout), signal, settings: noHooks });
  const top = await git.must('rev-parse', '--show-toplevel');
  if (realpathSync.native(top) !== git.folder) {
    throw new VaultError(
      'unavailable',
      'The server is set up to publish to a folder inside a git checkout, not to its top folder. The person who runs the server must correct --adr-repo.',
    );
  }
  await readCheckoutFile(git.folder, `${folder}/x`); // Refuses symlinks before anything is done.
  return git;
}

/**
 * The branch that is checked out. Fails with `conflict` when there is none, or while a merge, rebase
 * or the like is not finished.
 */
async function branchOf(git: Git): Promise<string> {
  const gitFolder = await git.must('rev-parse', '--absolute-git-dir');
  const underWay = [
    ['MERGE_HEAD', 'merge'],
    ['rebase-merge', 'rebase'],
    ['rebase-apply', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
    ['BISECT_LOG', 'bisect'],
  ].find(([name = '']) => existsSync(join(gitFolder, name)));
  if (underWay !== undefined) {
    throw new VaultError(
      'conflict',
      `The checkout is in the middle of a ${underWay[1]}; nothing was written. Try again when that is finished.`,
    );
  }
  const branch = await git.ask('symbolic-ref', '--quiet', '--short', 'HEAD');
  if (branch !== undefined) return branch;
  throw new VaultError(
    'conflict',
    'The checkout is on no branch; nothing was written. The person who runs the server must check one out.',
  );
}

/** The remote and the branch there that a branch is pushed to. */
interface Upstream {
  readonly remote: string;
  readonly ref: string;
}

async function upstreamOf(git: Git, branch: string): Promise<Upstream> {
  const remote = await git.ask('config', '--get', `branch.${branch}.remote`);
  const ref = await git.ask('config', '--get', `branch.${branch}.merge`);
  if (remote !== undefined && ref !== undefined) return { remote, ref };
  throw new VaultError(
    'unavailable',
    `The branch "${branch}" of the checkout has no upstream to push to; nothing was written. The person who runs the server must run "git push -u" there once.`,
  );
}

/** Whether the branch has commits of this file that are not pushed yet, this one or earlier ones. */
async function isAhead(git: Git, path: string): Promise<boolean> {
  const known = await git.ask('rev-parse', '--verify', '--quiet', '@{upstream}');
  if (known === undefined) return true;
  return (await git.must('rev-list', '--count', '@{upstream}..HEAD', '--', path)) !== '0';
}

/** Pushes. `keptCommit` is the commit that stays in the checkout, for the message if pushing fails. */
async function push(
  git: Git,
  remote: string,
  refs: string,
  { keptCommit }: { readonly keptCommit?: string | undefined },
): Promise<void> {
  const answer = await git.run('push', '--quiet', remote, refs);
  if (answer.exitCode === 0) return;
  const consequence =
    keptCommit === undefined
      ? 'Nothing was pushed.'
      : `The commit ${keptCommit.slice(0, 12)} is made and stays; only pushing it failed. Publishing again pushes it.`;
  throw gitFailed('push', answer, consequence);
}

/** The remote to push to: that of the current branch, else "origin", else the first one. */
async function remoteOf(git: Git): Promise<string> {
  const branch = await git.ask('symbolic-ref', '--quiet', '--short', 'HEAD');
  const own =
    branch === undefined ? undefined : await git.ask('config', '--get', `branch.${branch}.remote`);
  const all = (await git.must('remote')).split('\n').filter((name) => name !== '');
  const remote =
    all.find((name) => name === own) ?? all.find((name) => name === 'origin') ?? all[0];
  if (remote !== undefined) return remote;
  throw new VaultError(
    'unavailable',
    'The checkout has no remote to push to; nothing was written. The person who runs the server must add one.',
  );
}

/** The remote's main branch, which a pull request asks to merge into. */
async function baseOf(
  git: Git,
  remote: string,
): Promise<{ readonly branch: string; readonly commit: string }> {
  const head = await git.must('ls-remote', '--symref', remote, 'HEAD');
  const branch = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(head)?.[1];
  const commit = /^([0-9a-f]{40,64})\s+HEAD$/m.exec(head)?.[1];
  if (branch !== undefined && commit !== undefined) {
    await fetchBranch(git, remote, `refs/heads/${branch}`);
    return { branch, commit };
  }
  throw new VaultError(
    'unavailable',
    'The remote of the checkout has no main branch yet; nothing was written. Push one first.',
  );
}

/** The newest commit of a branch of the remote; undefined when there is no such branch. */
async function branchTip(git: Git, remote: string, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const tip = (await git.must('ls-remote', remote, ref)).split(/\s/)[0];
  if (tip === undefined || tip === '') return undefined;
  await fetchBranch(git, remote, ref);
  return tip;
}

/** Fetches the commits of a remote's branch without creating a branch or tag here. */
async function fetchBranch(git: Git, remote: string, ref: string): Promise<void> {
  await git.must('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote, ref);
}

async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return (await git.run('merge-base', '--is-ancestor', commit, of)).exitCode === 0;
}

/** Does some work in a temporary worktree at a commit, and removes the worktree afterwards. */
async function inWorktree<T>(git: Git, start: string, work: (git: Git) => Promise<T>): Promise<T> {
  const temporary = realpathSync.native(await mkdtemp(join(tmpdir(), 'vaultdoor-adr-')));
  const worktree = join(temporary, 'checkout');
  const cleanupGit = git.afterwards();
  try {
    await git.must('worktree', 'add', '--quiet', '--detach', '--no-checkout', worktree, start);
    const inside = git.in(worktree);
    // The settings of the checkout may define other filters for its worktrees.
    const own = git.settings === noSettings ? inside : inside.with(await withoutFilters(inside));
    await own.must('reset', '--quiet', '--hard');
    return await work(own);
  } finally {
    await cleanupGit.run('worktree', 'remove', '--force', worktree);
    await rm(temporary, { recursive: true, force: true });
    await cleanupGit.run('worktree', 'prune'); // In case it could not be removed by its name.
  }
}

/** What the caller should know about a commit. `commit` is undefined when the checkout had the text. */
async function notesOn(
  git: Git,
  { path, commit, bytes }: { path: string; commit: string | undefined; bytes: Uint8Array },
): Promise<string[]> {
  if (commit === undefined) {
    return [`"${path}" already has exactly this text; nothing was committed.`];
  }
  const committed = await git.must('rev-parse', `${commit}:${path}`);
  if (committed === blobId(bytes, committed.length)) return [];
  return [
    `What git has committed is not the text of the note: the checkout's settings changed it (line ends, encoding${git.settings === noSettings ? ', or a filter or hook' : ''}). Compare them with "git show ${commit.slice(0, 12)}:${path}".`,
  ];
}

/** The name that git gives to these bytes: a SHA-1, or a SHA-256 in repositories that use it. */
function blobId(bytes: Uint8Array, idLength: number): string {
  const hash = createHash(idLength === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Git settings with which no hook of a checkout is run, and no program that watches its files. */
const noHooks: readonly string[] = ['core.hooksPath=/dev/null', 'core.fsmonitor=false'];
const noSettings: readonly string[] = [];

/** `noHooks`, and settings that switch off every filter that is defined for this checkout. */
async function withoutFilters(git: Git): Promise<readonly string[]> {
  const listed = await git.ask('config', '-z', '--name-only', '--get-regexp', '^filter\\.');
  const names = new Set(
    (listed ?? '').split('\0').flatMap((key) => /^filter\.([\s\S]*)\.[^.]+$/.exec(key)?.[1] ?? []),
  );
  const filters = Array.from(names, (name) => {
    if (name.includes('=')) throw cannotSwitchOff(name);
    return ['clean=', 'smudge=', 'process=', 'required=false'].map(
      (setting) => `filter.${name}.${setting}`,
    );
  });
  return [...noHooks, ...filters.flat()];
}

function cannotSwitchOff(name: string): VaultError {
  return new VaultError(
    'unavailable',
    `The filter "${name}" of the checkout cannot be switched off, because of the "=" in its name; nothing was written. The person who runs the server must rename it, or allow filters with --adr-hooks.`,
  );
}
