import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';

/** Longer names of tools are cut in messages. */
const nameCharsMax = 100;

/** The failure of a call of a tool that does not exist; `instead` as `Service.insteadOf` says it. */
export function unknownTool(name: string, instead: string | undefined): VaultError {
  const todo = instead ?? '"tools/list" lists the tools that exist';
  const asked = oneLine(name, nameCharsMax);
  return new VaultError('invalid_input', `There is no tool "${asked}"; ${todo}.`);
}
