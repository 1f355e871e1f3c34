import type { Token } from 'markdown-it';
import type { ComponentChild } from 'preact';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { element } from './allowed-elements.ts';
import { calloutLook } from './callout-looks.ts';
import { NoteIcon } from './note-icon.tsx';

/** The marks of tasks that have a look of their own; all others show their character. */
const taskLooks = new Map([
  [' ', 'todo'],
  ['x', 'done'],
  ['X', 'done'],
  ['/', 'half'],
  ['-', 'cancelled'],
]);

/** An item of a list, with a box where it is a task. */
export function renderListItem(
  token: Token,
  id: string | undefined,
  children: ComponentChild,
): ComponentChild {
  const task = (token.meta as { task?: string } | null)?.task;
  if (task === undefined) return element('li', { id, dir: 'auto' }, children);
  const name = Object.hasOwn(words.tasks, task) ? words.tasks[task] : undefined;
  const look = taskLooks.get(task);
  const box = element(
    'span',
    { class: 'task-box', role: 'img', 'aria-label': name ?? words.task(task) },
    look === undefined ? task : '',
  );
  return element(
    'li',
    { id, class: `task ${look ?? 'other'}`, dir: 'auto' },
    box,
    element('div', { class: 'what' }, children),
  );
}

/** The type of a callout, and whether it can be folded; undefined for any other quote. */
function calloutIn(token: Token | undefined) {
  const meta = token?.meta as { callout?: { type: string; fold?: '+' | '-' } } | null | undefined;
  return meta?.callout;
}

/** A quote, or a callout with what is in it: its title first. */
export function renderQuote(
  token: Token,
  id: string | undefined,
  children: ComponentChild,
): ComponentChild {
  const callout = calloutIn(token);
  if (callout === undefined) return element('blockquote', { id, dir: 'auto' }, children);
  const className = `callout ${calloutLook(callout.type).tone}`;
  return callout.fold === undefined
    ? element('div', { id, class: className }, children)
    : element('details', { id, class: className, open: callout.fold === '+' }, children);
}

/** The title of the callout that `quote` begins; its type where it has none. */
export function renderCalloutTitle(
  quote: Token | undefined,
  children: readonly ComponentChild[],
): ComponentChild {
  const { type, fold } = { fold: undefined, ...(calloutIn(quote) ?? { type: 'note' }) };
  const icon = <NoteIcon name={calloutLook(type).icon} />;
  const title = children.length > 0 ? children : words.callout(type);
  const said = element('span', {}, title as ComponentChild[]);
  return fold === undefined
    ? element('p', { class: 'callout-title', dir: 'auto' }, icon, said)
    : element('summary', { class: 'callout-title', dir: 'auto' }, icon, said);
}

/** A block of code, without colours. What only Obsidian or a plugin draws is shown as its text. */
export function renderCode(
  token: Token,
  id: string | undefined,
  content: ComponentChild,
): ComponentChild {
  const language = token.info.trim().split(/\s/, 1)[0]?.slice(0, 40) ?? '';
  const special = Object.hasOwn(words.special, language) ? words.special[language] : undefined;
  const label = special === undefined ? language : words.specialBlock(special);
  return element(
    'div',
    { id, class: special === undefined ? 'code-block' : 'code-block special' },
    label === '' ? null : element('small', { class: 'language' }, label),
    element('pre', { tabIndex: 0 }, element('code', {}, content)),
  );
}

/** The attributes of a cell: only its alignment is taken from the note. */
export function cellAttributes(token: Token): { class?: string; dir: string } {
  const align = /^text-align:(center|right)$/.exec(String(token.attrGet('style')))?.[1];
  return { dir: 'auto', ...(align === undefined ? {} : { class: align }) };
}
