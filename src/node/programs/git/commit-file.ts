import { VaultError } from '../../../base/vault-error.ts';
import { readCheckoutFile, writeCheckoutFile } from './checkout-file.ts';
import { type Git, gitFailed } from './git.ts';

/**
 * Writes one file of a checkout and commits it and nothing else: whatever others have staged or
 * changed stays so. Answers the commit; undefined when the checkout had this text already. Fails
 * with `conflict` when the file has changes that are not committed. What could not be committed (a
 * hook refused) is taken back.
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
  // Our own text may lie there from an attempt that was cut off.
  if (status !== '' && !(isSame && isPlain(status))) throw hasChanges(path);
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

/** What git says about one file: nothing when it is as committed, else two letters. */
async function statusOf(git: Git, path: string): Promise<string> {
  const args = ['status', '--porcelain', '--ignored', '--untracked-files=all', '--', path];
  const answer = await git.run(...args);
  if (answer.exitCode !== 0) throw gitFailed('status', answer, 'Nothing was committed.');
  return answer.stdout;
}

/** Whether what is not committed is only in the file, or only staged: then nothing is hidden. */
function isPlain(status: string): boolean {
  return !/^[MADRC][MD]/.test(status);
}

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
  const cleaning = git.afterwards();
  // A commit that came about although the call was called off stays.
  if ((await statusOf(cleaning, path)) === '') return;
  if (!isTracked) await cleaning.run('rm', '--quiet', '--cached', '--ignore-unmatch', '--', path);
  await writeCheckoutFile(git.folder, path, before);
}

function hasChanges(path: string): VaultError {
  return new VaultError(
    'conflict',
    `"${path}" in the checkout has changes that are not committed; nothing was written. Whoever made them commits or discards them first.`,
    { details: { file: path } },
  );
}
