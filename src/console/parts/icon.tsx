/** The pictures of the console, drawn in a square of 24. */
const paths = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  approvals: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  notes: 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h6M9 17h4',
  graph:
    'M3.5 7a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M15 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M11 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0M8.4 7l6.7-1.600M7.4 9l4.8 5.600M16.6 7l-1.9 7',
  health: 'M12 20s-8-4.6-8-10.500A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 8 2.500C20 15.4 12 20 12 20z',
  access: 'M4 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12l8-8M16 7l3 3',
  connect: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  more: 'M4 12h2M11 12h2M18 12h2',
  changed: 'M4 20l1-4L16 5l3 3L8 19z',
  deleted: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  created: 'M12 5v14M5 12h14',
  moved: 'M4 12h15M14 7l5 5-5 5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  undo: 'M9 14L4 9l5-5M4 9h10.500a5.5 5.5 0 0 1 0 11H11',
  redo: 'M15 14l5-5-5-5M20 9H9.500a5.5 5.5 0 0 0 0 11H13',
  'taken-back': 'M9 14L4 9l5-5M4 9h10.500a5.5 5.5 0 0 1 0 11H11',
  down: 'M6 9l6 6 6-6',
  back: 'M15 5l-7 7 7 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  tick: 'M5 12l5 5L19 7',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  away: 'M4 4l16 16M8.5 8.700A8 8 0 0 0 5 11M12 7c2.7 0 5.2 1 7 2.800M9 14.500a4.5 4.5 0 0 1 6 0M12 18.500v.2',
  keyboard: 'M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M8 14h8',
  out: 'M14 4H5v16h9M10 12h10M16 8l4 4-4 4',
  search: 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M16 16l4.5 4.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  whole: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside words; it says nothing to a screen reader. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of the product: a door that stands open. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="plate" width="32" height="32" rx="8" />
      <path class="post" d="M9 25V8.500A1.5 1.5 0 0 1 10.5 7H18M6.5 25H14" />
      <path class="leaf" d="M14 9.600l8-2.400v19.600l-8-2.400z" />
      <circle class="knob" cx="17" cy="17" r="1.2" />
    </svg>
  );
}
