import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { followAddress, go, place, vaultHere } from '../page/address.ts';
import { isSignedIn } from '../page/api.ts';
import { findNote } from '../page/find-note.ts';
import { KeyReader, tellKey } from '../page/keys.ts';
import { followServer } from '../page/live.ts';
import { followNumbers, loadMe, me } from '../page/server-state.ts';
import { settings } from '../page/settings.ts';
import { EnterPage, rememberPlace, takeKey } from './enter-page.tsx';
import { Frame } from './frame.tsx';
import { showsKeys } from './keys-dialog.tsx';
import { screenOf } from './screen-list.ts';

const oneTimeKey = place.value.screen === 'enter' ? takeKey() : undefined;

/** The whole page: the way in, or the frame with its screens. Signed out, nothing is kept on it. */
function Page() {
  if (!isSignedIn.value || place.value.screen === 'enter') {
    return <EnterPage oneTimeKey={oneTimeKey} />;
  }
  return <Frame />;
}

function followKeys(): void {
  const reader = new KeyReader();
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isSignedIn.peek()) return;
    // A dialog has its own keys, and so has a list to choose from.
    if (document.querySelector('dialog[open]') !== null) return;
    const { target } = event;
    const inField =
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    const action = reader.read(
      {
        key: event.key,
        ctrl: event.ctrlKey || event.metaKey,
        alt: event.altKey,
        timeMs: event.timeStamp,
        inField,
      },
      { singles: settings.peek().singleKeys },
    );
    if (action === undefined) return;
    if (action.do === 'help') showsKeys.value = true;
    else if (action.do === 'go') {
      const { screen } = action;
      const to =
        screen === 'activity' ? { screen, filter: {}, ...vaultHere() } : { screen, ...vaultHere() };
      if (screenOf(to) === undefined) return;
      go(to);
    } else if (action.do === 'find') findNote();
    else if (!tellKey(action)) return;
    event.preventDefault();
  });
}

followAddress();
followKeys();
followNumbers();
// An address that lacks the name of the vault, where there are several, gets it.
effect(() => {
  const [first, second] = me.value?.vaults ?? [];
  const here = place.value;
  if (first === undefined || second === undefined) return;
  if (here.screen === 'enter' || here.screen === 'unknown' || here.vault !== undefined) return;
  go({ ...here, vault: first.name }, 'replace');
});
// While a link is being used, a sign-in from before is not: its other half, the cookie, is replaced.
const isInside = computed(() => isSignedIn.value && place.value.screen !== 'enter');
effect(() => {
  if (isInside.value) {
    void loadMe();
    void followServer();
  } else {
    if (place.peek().screen !== 'enter') rememberPlace();
    me.value = undefined;
  }
});
const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
