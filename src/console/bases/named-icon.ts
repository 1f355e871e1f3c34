import { type ComponentChild, h } from 'preact';
import { element } from '../note/allowed-elements.ts';
import { NoteIcon, type NoteIconName } from '../note/note-icon.tsx';

/** Icons of Obsidian, by their names there, that the console has a picture for. */
const known: ReadonlyMap<string, NoteIconName> = new Map([
  ['text', 'text'],
  ['list', 'list'],
  ['tag', 'tag'],
  ['link', 'link'],
  ['calendar', 'date'],
  ['clock', 'time'],
  ['hash', 'number'],
  ['square-check', 'checkbox'],
  ['check-square', 'checkbox'],
  ['braces', 'object'],
  ['pencil', 'pen'],
  ['check', 'tick'],
  ['circle-help', 'question'],
  ['help-circle', 'question'],
  ['triangle-alert', 'warning'],
  ['alert-triangle', 'warning'],
  ['x', 'cross'],
  ['info', 'info'],
  ['quote', 'quote'],
  ['flame', 'flame'],
]);

/** An icon by its name: as a picture where there is one, and else as the name. */
export function namedIcon(written: string): ComponentChild {
  const name = written.replace(/^lucide-/, '');
  const icon = known.get(name);
  if (icon === undefined) return element('span', { class: 'base-icon' }, name.slice(0, 60));
  const picture = h(NoteIcon, { name: icon });
  return element('span', { class: 'base-icon', role: 'img', 'aria-label': name }, picture);
}
