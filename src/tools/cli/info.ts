import { z } from 'zod';
import { describeVault } from '../../engine/operations/vault/describe-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { listOf } from './schemas.ts';
import { counted, lines, plain } from './text.ts';

export const infoTool = defineTool({
  name: 'info',
  title: 'Describe the vault',
  description: 'Says what is in the vault, in numbers.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    location: z.string(),
    opened: z.boolean(),
    outer: z.boolean(),
    files: z.object({
      note: z.number(),
      canvas: z.number(),
      base: z.number(),
      attachment: z.number(),
    }),
    tags: z.number(),
    properties: z.number(),
    unresolved: z.number(),
    orphans: z.number(),
    absent: z.number(),
    conflicts: z.number(),
    latest: listOf(z.string()),
  }),
  record: [],
  run: (vault) => describeVault(vault),
  text: (info, paint) => {
    const { note, canvas, base, attachment } = info.files;
    return lines([
      `${paint.strong(plain(info.name))}  ${paint.faint(plain(info.location))}`,
      `  ${[
        counted(note, 'note'),
        ...(canvas > 0 ? [counted(canvas, 'canvas', 'canvases')] : []),
        ...(base > 0 ? [counted(base, 'base')] : []),
        counted(attachment, 'attachment'),
      ].join(', ')}`,
      `  ${counted(info.tags, 'tag')}, ${counted(info.properties, 'property', 'properties')}`,
      `  ${counted(info.unresolved, 'unresolved link target')}, ${counted(info.orphans, 'orphan')}`,
      ...(info.absent > 0
        ? [`  ${counted(info.absent, 'file')} listed but not downloaded: known by name only`]
        : []),
      ...(info.conflicts > 0
        ? [
            `  ${counted(info.conflicts, 'conflict copy', 'conflict copies')}; see "vaultdoor check"`,
          ]
        : []),
      ...(info.opened ? [] : ['  never opened in Obsidian: its default settings apply']),
      ...(info.outer
        ? [
            `${paint.bad('!')} a folder around it is a vault too: links from there are not seen, and do not follow renames`,
          ]
        : []),
      ...(info.latest.length > 0 ? ['  latest:'] : []),
      ...info.latest.map((path) => `    ${plain(path)}`),
    ]);
  },
});
