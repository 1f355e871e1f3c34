import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { checkAllowed } from '../../engine/decide/decide.ts';
import { writeAttachment } from '../../engine/operations/write/write-attachment.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { withAdvice } from '../define/advice.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { filled, flag, given, IfVersion, missing, optionalText } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

/**
 * Adds or replaces an attachment. `attachFrom` says whether its bytes may also come from the folder
 * that the owner has named with `--attach-from`.
 */
export function writeAttachmentTool({ attachFrom }: { readonly attachFrom: boolean }): AnyTool {
  const from = optionalText("Or the owner's file");
  const published = z.object({
    name: filled('photo.png or a path'),
    data: optionalText('Base64'),
    ...(attachFrom ? { from } : {}),
    note: optionalText('Gets the embed'),
    replace: flag('The old one'),
  });
  return defineTool({
    name: 'write_attachment',
    title: 'Write attachment',
    description: 'Add or replace an image, PDF, sound or film. Answers its path and embed.',
    effect: 'write',
    published,
    input: published
      .extend({ version: IfVersion })
      .refine((args) => args.data !== undefined || sourceOf(args) !== undefined, missing('data'))
      .refine((args) => args.data === undefined || sourceOf(args) === undefined, {
        path: ['from'],
        error: 'give only one of "data" and "from"',
      }),
    output: writingSchema({
      embed: z.string(),
      replaced: z.literal(true).optional(),
    }),
    record: ['name', 'note', 'replace'],
    run: async (vault, args) => {
      const { name, data, note, replace = false, version } = args;
      const source = sourceOf(args);
      const bytes =
        source === undefined
          ? decoded(vault, data ?? '')
          : await withAdvice(ofSource, () => bytesFrom(vault, source));
      const request = { ...given({ note, version }), name, bytes, replace };
      const report = await withAdvice(advice, () => vault.change(writeAttachment, request));
      return writingAnswer(report, {
        embed: report.embed,
        ...(report.replaced ? { replaced: true as const } : {}),
      });
    },
  });
}

const advice = {
  not_found: 'Without "replace" it is made.',
};

const ofSource = {
  outside_vault: 'Correct "from".',
};

/** The argument `from`, which only some of these tools have. */
function sourceOf(args: object): string | undefined {
  return 'from' in args && typeof args.from === 'string' ? args.from : undefined;
}

function decoded(vault: BoundVault, data: string): Uint8Array {
  // Some clients send the whole address of the data, as web pages have it.
  const bytes = vault.vault.parts.base64.decode(data.replace(/^data:[\w/+.-]{0,100};base64,/, ''));
  if (bytes !== undefined) return bytes;
  throw new VaultError('invalid_input', 'The argument "data" must be base64 with its padding.');
}

async function bytesFrom(vault: BoundVault, source: string): Promise<Uint8Array> {
  const { attachFrom } = vault.vault.parts;
  if (attachFrom === undefined) {
    throw new VaultError('unavailable', 'There is no folder to add files from; send "data".');
  }
  checkAllowed(vault.caller, { effect: 'write', atOnce: 'attachFrom' });
  return attachFrom.read(vaultPath(source), { bytesMax: limits.attachmentBytesMax });
}
