import { type JsonNode, jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import type { TextEdit } from '../../markdown/text/text-edit.ts';
import { applyEdits } from '../../markdown/text/text-edit.ts';
import { plainJson } from './plain-json.ts';
import { serverOf } from './server-entry.ts';

/** A word of our own command with an address that may have a key or a password in it. */
const secretValue = /^"--(?:notify|sync-remote)" | "--(?:notify|sync-remote)=/;

/**
 * The text of a configuration without its secrets, for printing. Other servers' entries may hold keys
 * and passwords, so their values and all comments become "…". Text that is not JSON becomes empty.
 */
export function hideValues(text: string, section: string): string {
  const { json, comments } = plainJson(text);
  const result = parseJsonRanges(json);
  if ('failedAt' in result) return '';
  const servers = jsonEntry(result.root, section);
  const shown = new Set<JsonNode | undefined>();
  for (const { key, value } of servers?.type === 'object' ? servers.entries : []) {
    const { start, end } = value.range;
    if (!serverOf(key, JSON.parse(json.slice(start, end))).isOurs) continue;
    const args = jsonEntry(value, 'args');
    shown.add(jsonEntry(value, 'type'));
    shown.add(jsonEntry(value, 'command'));
    shown.add(jsonEntry(jsonEntry(value, 'env'), 'OBSIDIAN_VAULT_PATH'));
    let before = '';
    for (const item of args?.type === 'array' ? args.items : []) {
      const word = json.slice(item.range.start, item.range.end);
      if (!secretValue.test(`${before} ${word}`)) shown.add(item);
      before = word;
    }
  }
  const edits: TextEdit[] = comments.map((range) => ({
    range,
    text: text.startsWith('//', range.start) ? '// …' : '/* … */',
  }));
  const hide = (node: JsonNode): void => {
    if (shown.has(node)) return;
    if (node.type === 'object') for (const { value } of node.entries) hide(value);
    else if (node.type === 'array') node.items.forEach(hide);
    else if (node.type === 'string') edits.push({ range: node.range, text: '"…"' });
    else if (typeof node.value === 'number') edits.push({ range: node.range, text: '…' });
  };
  hide(result.root);
  return applyEdits(text, edits);
}
