/** For an element that scrolls: the keyboard reaches it too. Such an element has a name (`aria-label`). */
export const scrolling = { tabIndex: 0 } as const;
