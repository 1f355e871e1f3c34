import { type ComponentChildren, h, type VNode } from 'preact';

/**
 * Every element that the text of a note can become, and the attributes that each may have. Nothing
 * else is made of a note: there is no way from here to a script, a frame, a form, a style or a picture.
 */
const allowed = {
  a: ['class', 'href', 'rel', 'target', 'title'],
  blockquote: ['id', 'dir'],
  br: [],
  code: ['class'],
  del: [],
  details: ['id', 'class', 'open'],
  div: ['id', 'class', 'dir', 'tabIndex'],
  em: [],
  h2: ['id', 'class', 'dir'],
  h3: ['id', 'class', 'dir'],
  h4: ['id', 'class', 'dir'],
  h5: ['id', 'class', 'dir'],
  h6: ['id', 'class', 'dir'],
  hr: [],
  li: ['id', 'class', 'dir'],
  mark: ['class'],
  ol: ['id', 'start'],
  p: ['id', 'class', 'dir'],
  pre: ['id', 'class', 'tabIndex'],
  section: ['class'],
  small: ['class'],
  span: ['class', 'role', 'aria-label', 'title'],
  strong: [],
  summary: ['class', 'dir'],
  sup: ['class'],
  table: [],
  tbody: [],
  td: ['class', 'dir'],
  th: ['class', 'dir'],
  thead: [],
  tr: [],
  ul: ['id', 'class'],
} as const;

type Tag = keyof typeof allowed;
type Attributes<T extends Tag> = {
  readonly [Name in (typeof allowed)[T][number]]?: string | number | boolean | undefined;
};

/** Makes an element of a note. The compiler refuses what the table does not have. */
export function element<T extends Tag>(
  tag: T,
  attributes: Attributes<T>,
  ...children: ComponentChildren[]
): VNode {
  return h(tag as string, attributes as Record<string, unknown>, ...children) as VNode;
}
