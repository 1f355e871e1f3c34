import { fileNameOf } from '../../base/vault-path.ts';
import { me, vaultName } from '../page/server-state.ts';
import { renderingStrings } from '../words/rendering-strings.ts';

/** Opens a file of the vault in Obsidian, which knows a vault by the name of its folder. */
export function ObsidianLink({ path }: { readonly path: string }) {
  const shown = me.value?.vaults.find(({ name }) => name === vaultName.value);
  if (shown === undefined) return null;
  const vault = encodeURIComponent(fileNameOf(shown.path.replaceAll('\\', '/')));
  return (
    <a class="obsidian" href={`obsidian://open?vault=${vault}&file=${encodeURIComponent(path)}`}>
      {renderingStrings.openInObsidian}
    </a>
  );
}
