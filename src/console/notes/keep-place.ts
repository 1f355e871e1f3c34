import { useLayoutEffect, useRef } from 'preact/hooks';

/** What stood at the top of the window, and how far below its edge. */
interface Anchor {
  readonly element: Element;
  readonly text: string;
  readonly offset: number;
}

const blocks = 'p, li, h1, h2, h3, h4, h5, h6, pre, table, dd, img';

/**
 * Keeps what is being read where it is when a newer text is drawn in its place. `scroller` is the
 * element that scrolls; `key` changes with the text.
 */
export function useKeptPlace(
  scroller: () => HTMLElement | undefined,
  key: object | undefined,
): void {
  const before = useRef(key);
  const anchor = useRef<Anchor | undefined>(undefined);
  // Measured before the newer text is drawn, and used right after it is.
  if (before.current !== key) {
    anchor.current = before.current === undefined ? undefined : anchorIn(scroller());
    before.current = key;
  }
  useLayoutEffect(() => {
    const kept = anchor.current;
    const element = scroller();
    anchor.current = undefined;
    if (kept === undefined || element === undefined) return;
    const now = sameBlock(element, kept);
    if (now !== undefined) element.scrollTop += offsetOf(now, element) - kept.offset;
  }, [key]);
}

/** The first block that is at least partly in sight; undefined at the top, where nothing must stay. */
function anchorIn(scroller: HTMLElement | undefined): Anchor | undefined {
  if (scroller === undefined || scroller.scrollTop < 8) return undefined;
  for (const element of scroller.querySelectorAll(blocks)) {
    const { top, bottom, height } = element.getBoundingClientRect();
    if (height === 0 || bottom <= scroller.getBoundingClientRect().top) continue;
    const offset = top - scroller.getBoundingClientRect().top;
    return { element, text: textOf(element), offset };
  }
  return undefined;
}

/** The block that shows the same as before: the same element, or another one with its text. */
function sameBlock(scroller: HTMLElement, { element, text }: Anchor): Element | undefined {
  if (element.isConnected && textOf(element) === text) return element;
  for (const other of scroller.querySelectorAll(blocks)) if (textOf(other) === text) return other;
  return element.isConnected ? element : undefined;
}

function textOf(element: Element): string {
  return `${element.tagName} ${element.textContent?.slice(0, 200) ?? ''}`;
}

function offsetOf(element: Element, scroller: HTMLElement): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}
