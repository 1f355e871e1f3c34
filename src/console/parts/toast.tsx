import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { announced, hideToast, toast } from '../page/toast-state.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

type Shown = NonNullable<typeof toast.value>;

/** The bar at the bottom, and what is read aloud. */
export function ToastBar() {
  const shown = toast.value;
  const { text, isUrgent } = announced.value;
  return (
    <>
      <div class="unseen" aria-live="polite">
        {isUrgent ? '' : text}
      </div>
      <div class="unseen" aria-live="assertive">
        {isUrgent ? text : ''}
      </div>
      <div role="status">
        {shown === undefined ? undefined : <Bar key={shown.number} shown={shown} />}
      </div>
    </>
  );
}

/** One message. It goes after ten seconds, but stays while the pointer or the focus is on it. */
function Bar({ shown: { text, action } }: { readonly shown: Shown }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(hideToast, consolePageLimits.toastMs);
    return () => clearTimeout(timer);
  }, [isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is looked at.
    <div
      class="toast"
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <span>
        <Sentence pieces={text} />
      </span>
      {action === undefined ? undefined : (
        <button
          type="button"
          class="btn"
          onClick={() => {
            hideToast();
            action.run();
          }}
        >
          <Icon name={action.icon ?? 'redo'} /> {action.label}
        </button>
      )}
    </div>
  );
}
