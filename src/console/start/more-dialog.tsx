import { place } from '../page/address.ts';
import type { Screen } from '../page/place.ts';
import { ownerPageHere } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { strings } from '../words/strings.ts';

/** On phones: the screens for which the bar at the bottom has no room. */
export function MoreDialog({
  screens,
  addressOf,
  onClose,
}: {
  readonly screens: readonly Screen[];
  readonly addressOf: (screen: Screen) => string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title={strings.more}
      onClose={onClose}
      footer={
        <button type="button" class="btn" onClick={onClose}>
          {strings.close}
        </button>
      }
    >
      <nav class="nav" aria-label={strings.more}>
        {screens.map((screen) => (
          <a
            key={screen}
            href={addressOf(screen)}
            aria-current={place.value.screen === screen ? 'page' : undefined}
            onClick={onClose}
          >
            <Icon name={screen} /> {strings.screens[screen]}
          </a>
        ))}
        {ownerPageHere.value === undefined ? undefined : (
          <a href={ownerPageHere.value}>
            <Icon name="out" /> {strings.ownerPage}
          </a>
        )}
      </nav>
    </Dialog>
  );
}
