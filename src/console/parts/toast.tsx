import { useEffect, useState } from 'preact/hooks';
import { consolePageLimits } from '../../base/console-page-limits.ts';
import { announced, toast } from '../page/toast-state.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './sentence.tsx';

/** The bar at the bottom, and what is read aloud. The bar stays while the pointer or focus is on it. */
export function ToastBar() {
  const shown = toast.value;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (shown === undefined || isHeld) return undefined;
    const timer = setTimeout(() => {
      toast.value = undefined;
    }, consolePageLimits.toastMs);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  const { text, isUrgent } = announced.value;
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <>
      <div class="unseen" aria-live="polite">
        {isUrgent ? '' : text}
      </div>
      <div class="unseen" aria-live="assertive">
        {isUrgent ? text : ''}
      </div>
      <div role="status">
        {shown === undefined ? undefined : (
          // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is looked at.
          <div
            class="toast"
            onMouseEnter={hold}
            onMouseLeave={release}
            onFocusIn={hold}
            onFocusOut={release}
          >
            <span>
              <Sentence pieces={shown.text} />
            </span>
            {shown.action === undefined ? undefined : (
              <button
                type="button"
                class="btn"
                onClick={() => {
                  toast.value = undefined;
                  shown.action?.run();
                }}
              >
                <Icon name="redo" /> {shown.action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </>
  );
}
