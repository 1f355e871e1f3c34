/** Small pictures for properties and callouts, drawn in a square of 24. */
const paths = {
  text: 'M5 6h14M5 12h14M5 18h9',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8.500h1',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  date: 'M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM4 10h16M8 3v4M16 3v4',
  time: 'M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7v5l3 2',
  number: 'M9 4L7 20M17 4l-2 16M4 9h16M4 15h16',
  checkbox: 'M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3zM8 12l3 3 5-6',
  object: 'M9 4c-4 0 0 8-4 8 4 0 0 8 4 8M15 4c4 0 0 8 4 8-4 0 0 8-4 8',
  pen: 'M4 20l1-4L16 5l3 3L8 19z',
  tick: 'M5 12l5 5L19 7',
  question:
    'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .9-1 1.700M12 17v.1',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  cross: 'M6 6l12 12M18 6L6 18',
  info: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5M12 8v.1',
  quote: 'M5 7h5v6a4 4 0 0 1-4 4M14 7h5v6a4 4 0 0 1-4 4',
  flame: 'M12 3c1 4 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3 0-6 1-9z',
} as const;

export type NoteIconName = keyof typeof paths;

/** A picture beside words; it says nothing to a screen reader. */
export function NoteIcon({ name }: { readonly name: NoteIconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
