import { oneLine } from '../../../base/one-line.ts';
import type { Git } from './git.ts';

const saidCharsMax = 300;

/**
 * Opens a pull request for a pushed branch with `gh`, or finds the one that is already open. Never
 * fails because of `gh`: the branch is pushed, so a note says that there is no pull request.
 */
export async function openPullRequest(
  git: Git,
  {
    branch,
    base,
    title,
  }: { readonly branch: string; readonly base: string; readonly title: string },
): Promise<{ readonly address?: string; readonly notes: readonly string[] }> {
  const byHand = `Open one for the branch "${branch}" by hand.`;
  if (!git.runner.has('gh')) {
    return { notes: [`No pull request was opened, since gh is not installed. ${byHand}`] };
  }
  const open = ['--state', 'open', '--json', 'url', '--jq', '.[].url', '--limit', '1'];
  const found = await git.runner.run('gh', ['pr', 'list', '--head', branch, ...open], git);
  if (found.exitCode === 0 && found.stdout !== '') return { address: found.stdout, notes: [] };
  const body = 'Published from the vault.';
  const made = await git.runner.run(
    'gh',
    ['pr', 'create', '--head', branch, '--base', base, '--title', title, '--body', body],
    git,
  );
  const address = made.stdout.split('\n').findLast((line) => line.startsWith('https://'));
  if (made.exitCode === 0 && address !== undefined) return { address, notes: [] };
  const said = oneLine(made.said, saidCharsMax);
  return { notes: [`gh opened no pull request: ${said} ${byHand}`] };
}
