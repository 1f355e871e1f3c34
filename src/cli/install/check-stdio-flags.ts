import { isAbsolute } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import { readStdioOptions } from '../options/stdio-options.ts';

/**
 * Checks the flags after `--` of `vaultdoor install`, with which the client will start `vaultdoor
 * stdio`. Fails with `invalid_input` for those that `stdio` would refuse: the client starts it in the
 * background, where nobody reads the message. Relative paths are refused too, because the client
 * starts it in another folder.
 */
export async function checkStdioFlags(flags: readonly string[]): Promise<void> {
  const options = readStdioOptions(flags);
  if (options.vaults.length > 0) throw refusal('Give --vault before "--".');
  const relative = options.allowRoots.find((root) => !isAbsolute(root));
  if (relative !== undefined) {
    throw refusal(`Give "--allow-root ${relative}" as an absolute path.`);
  }
  const checkout = options.publish?.checkout;
  if (checkout !== undefined && !isAbsolute(checkout)) {
    throw refusal(`Give "--adr-repo ${checkout}" as an absolute path.`);
  }
  const { attachFrom, embed } = options;
  const ofModel = embed?.at === 'local' ? embed.folder : embed?.keyFile;
  if (ofModel !== undefined && !isAbsolute(ofModel)) {
    throw refusal(`Give "${ofModel}" as an absolute path.`);
  }
  if (attachFrom !== undefined && !isAbsolute(attachFrom)) {
    throw refusal(`Give "--attach-from ${attachFrom}" as an absolute path.`);
  }
  // Only for its check: --timeout must name a tool that exists.
  await serverToolsets(options, []);
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
