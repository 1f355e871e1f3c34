import { applyEdits } from '../../markdown/apply-edits.ts';
import { type JsonNode, jsonEntry, parseJsonRanges } from '../../markdown/json-ranges.ts';
import type { TextEdit } from '../../markdown/text-edit.ts';
import { plainJson } from './plain-json.ts';

/**
 * A configuration to be shown: the strings that are not ours, and comments, are left out, since
 * other servers' entries have keys and passwords. Text that is no JSON is left out whole.
 */
export function hideValues(text: string, section: string, shownNames: readonly string[]): string {
  const { json, comments } = plainJson(text);
  const result = parseJsonRanges(json);
  if ('failedAt' in result) return '';
  const shown = new Set<JsonNode>();
  for (const name of shownNames) {
    const entry = jsonEntry(jsonEntry(result.root, section), name);
    const args = jsonEntry(entry, 'args');
    const ours = [
      jsonEntry(entry, 'type'),
      jsonEntry(entry, 'command'),
      jsonEntry(jsonEntry(entry, 'env'), 'OBSIDIAN_VAULT_PATH'),
      ...(args?.type === 'array' ? args.items : []),
    ];
    for (const node of ours) if (node !== undefined) shown.add(node);
  }
  const edits: TextEdit[] = comments.map((range) => ({
    range,
    text: text.startsWith('//', range.start) ? '// …' : '/* … */',
  }));
  const hide = (node: JsonNode): void => {
    if (shown.has(node)) return;
    if (node.type === 'string') edits.push({ range: node.range, text: '"…"' });
    else if (node.type === 'object') for (const { value } of node.entries) hide(value);
    else if (node.type === 'array') node.items.forEach(hide);
  };
  hide(result.root);
  return applyEdits(text, edits);
}
