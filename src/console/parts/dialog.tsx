import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { scrolling } from './scrolling.ts';

/**
 * A dialog over the page. The browser keeps the focus inside, and puts it back where it was
 * afterwards. Escape closes it. The heading has the focus at first, so that Enter presses nothing.
 */
export function Dialog({
  title,
  more,
  children,
  footer,
  onClose,
}: {
  readonly title: string;
  readonly more?: ComponentChildren | undefined;
  readonly children: ComponentChildren;
  readonly footer: ComponentChildren;
  readonly onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    heading.current?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click beside the dialog does.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {more === undefined ? undefined : <p class="faint">{more}</p>}
        </header>
        <section class="body" {...scrolling} aria-labelledby={id}>
          {children}
        </section>
        <footer>{footer}</footer>
      </div>
    </dialog>
  );
}
