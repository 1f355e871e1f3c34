import { foldName } from '../../base/vault-path.ts';
import { storableText } from './storable-text.ts';

/** What the spellings of one tag share: Obsidian tells tags apart without regard to case. */
export function tagKey(tag: string): string {
  return storableText(foldName(tag));
}
