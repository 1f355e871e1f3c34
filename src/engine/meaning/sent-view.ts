import { VaultError } from '../../base/vault-error.ts';
import type { IndexKeeper } from '../index/index-keeper.ts';
import type { Clock, Disk } from '../ports/ports.ts';
import type { View } from '../ports/view.ts';
import { IgnoreFile } from '../settings/ignore-file.ts';
import { readSettings } from '../settings/settings.ts';

interface SentViewParts {
  readonly keeper: Pick<IndexKeeper, 'ask'>;
  readonly disk: Disk;
  readonly clock: Clock;
  /** What clients see without a token of their own. */
  readonly view: View;
}

/**
 * Answers, each time anew, which notes may be sent to an embedding model: the view without what the
 * owner ignores and the app excludes. Fails with `unavailable` while that cannot be read.
 */
export function openSentView({ keeper, disk, clock, view }: SentViewParts): () => Promise<View> {
  const ignored = new IgnoreFile({ disk, nowMs: () => clock.nowMs(), warn: () => undefined });
  return async () => {
    const hide = [...view.hide, ...(await ignored.globs())];
    const { exclude, problems } = await readSettings(disk);
    if (problems.some((problem) => problem.includes('app.json'))) {
      throw new VaultError(
        'unavailable',
        '.obsidian/app.json says which notes are excluded, and cannot be read. No note is sent to the embedding model until it can be.',
      );
    }
    const sent: View = { ...view, hide, exclude };
    return { ...sent, unseen: await keeper.ask((store) => store.unseen(sent)) };
  };
}
