import { limits } from '../../base/limits.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { embedOfEnvironment } from '../options/embed-options.ts';
import type { Shell } from '../shell/shell.ts';
import { openEmbedder } from '../vaults/open-meaning.ts';
import { bad, type Finding, hidden, known, ok, said } from './finding.ts';

/** Whether the embedding model answers that environment variables name. It is sent one word of ours. */
export async function examineEmbedding(
  shell: Pick<Shell, 'env' | 'signal' | 'entryFile'>,
): Promise<readonly Finding[]> {
  const { env, signal, entryFile } = shell;
  try {
    const embed = embedOfEnvironment(env);
    if (embed === undefined) return [];
    const embedder = openEmbedder(embed, { entryFile, env });
    try {
      const [vector] = await embedder.embed(['vaultdoor'], { signal, timeMs: limits.embedQueryMs });
      const length = vector?.length ?? 0;
      return [
        ok(
          'embedding model',
          said`${hidden(embedder.model, 'It')} answers with ${length} numbers.`,
        ),
      ];
    } finally {
      await embedder.close();
    }
  } catch (error) {
    const { message } = toVaultError(error);
    return [
      bad(
        'embedding model',
        said`${hidden(message, 'It does not answer.')} Searches find words only.`,
        said`Look at ${known('VAULTDOOR_EMBED')} and the variables that begin with it.`,
      ),
    ];
  }
}
