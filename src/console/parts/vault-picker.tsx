import { go } from '../page/address.ts';
import { me, vaultName } from '../page/server-state.ts';
import { strings } from '../words/strings.ts';
import { Icon } from './icon.tsx';

/** The name of the vault; with several, a list to choose from. A small one has only the list. */
export function VaultPicker({ isSmall }: { readonly isSmall?: boolean }) {
  const vaults = me.value?.vaults ?? [];
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  const several = vaults.length > 1;
  if (isSmall === true && !several) return null;
  const list = (
    <span class="pick-list">
      <select
        class="pick"
        aria-label={strings.vaultPicker}
        value={vaultName.value ?? ''}
        onChange={({ currentTarget }) =>
          go({ screen: 'activity', filter: {}, vault: currentTarget.value })
        }
      >
        {vaults.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
  if (isSmall === true) return list;
  return (
    <div class="grow">
      {several ? list : <bdi>{vaultName.value ?? strings.product}</bdi>}
      <small>{isHere ? strings.onThisMachine : location.host}</small>
    </div>
  );
}
