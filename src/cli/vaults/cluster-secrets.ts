import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { readSecretFile } from '../../node/system/private-files.ts';

/**
 * The secrets of a cluster in a file: the first line signs, a second one is accepted too. Fails with
 * `invalid_input` when one is too short or there are more.
 */
export function clusterSecrets(file: string): readonly [string, ...string[]] {
  const lines = readSecretFile(file, '--cluster-secret-file')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first, ...others] = lines;
  const isLong = lines.every((line) => Buffer.byteLength(line) >= clusterLimits.secretBytesMin);
  if (first !== undefined && others.length <= 1 && isLong) return [first, ...others];
  throw new VaultError(
    'invalid_input',
    `"${file}" must have one or two lines, each a secret of at least ${clusterLimits.secretBytesMin} characters. Make one with: openssl rand -hex 32`,
  );
}
