import { VaultError } from '../../../base/vault-error.ts';
import { readCheckoutFile, writeCheckoutFile } from './checkout-file.ts';
import { type Git, gitFailed } from './git.ts';

/**
 * Writes one file of a checkout and commits it and nothing else: what others have staged or changed
 * stays as it is. Returns the commit; undefined when the checkout already had this text. Fails with
 * `conflict` when the file has changes that are not committed. If the commit fails, for example
 * because a hook refuses it, the file is restored.
 */
export async function commitFile(
  git: Git,
  file: { readonly path: string; readonly bytes: Uint8Array; readonly title: string },
): Promise<string | undefined> {
  const { path, bytes } = file;
  const before = await readCheckoutFile(git.folder, path);
  const isSame = before !== undefined && Buffer.compare(before, bytes) === 0;
  const status = await statusOf(git, path);
  if (isSame && status === '') return undefined;
  // An interrupted attempt may have left our own text there.
  if (status !== '' && !(isSame && hasOneText(status))) throw hasChanges(path);
  const isTracked = (await git.must('ls-files', '--', path)) !== '';
  try {
    if (!isSame) await writeCheckoutFile(git.folder, path, bytes);
    if (!isTracked) await git.must('add', '--intent-to-add', '--', path);
    const message = `${isTracked ? 'Update' : 'Add'} ${file.title}`;
    const answer = await git.run('commit', '--quiet', '--only', '-m', message, '--', path);
    if (answer.exitCode !== 0) throw gitFailed('commit', answer, 'Nothing was committed.');
  } catch (error) {
    await takeBack(git, { path, before, isTracked });
    throw error;
  }
  return git.must('rev-parse', 'HEAD');
}

/** The status of one file from git: empty when it is as committed, else two letters and the path. */
async function statusOf(git: Git, path: string): Promise<string> {
  const args = ['status', '--porcelain', '--ignored', '--untracked-files=all', '--', path];
  const answer = await git.run(...args);
  if (answer.exitCode !== 0) throw gitFailed('status', answer, 'Nothing was committed.');
  return answer.stdout;
}

/** Whether git knows only one new text of the file: it is not both staged and changed after that. */
function hasOneText(status: string): boolean {
  return !/^[MADRC][MD]/.test(status);
}

/** Restores the file and git's list of tracked files after a failed commit. */
async function takeBack(
  git: Git,
  {
    path,
    before,
    isTracked,
  }: {
    readonly path: string;
    readonly before: Uint8Array | undefined;
    readonly isTracked: boolean;
  },
): Promise<void> {
  const cleanupGit = git.afterwards();
  // If the commit was made although the call was cancelled, it stays.
  if ((await statusOf(cleanupGit, path)) === '') return;
  if (!isTracked) await cleanupGit.run('rm', '--quiet', '--cached', '--ignore-unmatch', '--', path);
  await writeCheckoutFile(git.folder, path, before);
}

function hasChanges(path: string): VaultError {
  return new VaultError(
    'conflict',
    `"${path}" in the checkout has changes that are not committed; nothing was written. The person who made them must commit or discard them first.`,
    { details: { file: path } },
  );
}
