import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { extensionOf, type VaultPath } from '../../../base/vault-path.ts';
import { shortVersion, type Version } from '../../../base/version.ts';
import { type CommonVersion, commonVersion } from '../../history/common-version.ts';
import type {
  CopyChoice,
  CopyToMerge,
  MergedCopy,
  SidesChosen,
} from '../../ports/copy-to-merge.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { FileContent } from '../../ports/ports.ts';
import { decodeText } from '../../text/scan-file.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { findConflict } from './find-conflict.ts';

/** A conflict copy beside its original, as callers are shown it. */
export interface ShownConflict {
  /** The original. */
  readonly path: VaultPath;
  readonly copy: VaultPath;
  /** `same`: the same text. `lines`: merged by lines. `whole`: only one of the files can be taken. */
  readonly how: 'same' | 'lines' | 'whole';
  /** When the common version that history has was written or found; absent when it has none. */
  readonly commonMs?: number;
  /** The number of places that are taken from the copy because only the copy changed them. */
  readonly fromCopy: number;
  /** The first of the places where a side has to be chosen, and how many there are. */
  readonly choices: readonly CopyChoice[];
  readonly total: number;
  /** Says which contents were compared; another one means that the numbers no longer hold. */
  readonly token: string;
}

/** The same with what a merge needs. */
export interface ComparedConflict extends ShownConflict {
  readonly files: { readonly original: FileContent; readonly copy: FileContent };
  /** The common version, if there is one. */
  readonly common: Pick<CopyToMerge, 'base' | 'doubts'>;
}

const encoder = new TextEncoder();

/**
 * Compares a conflict copy with its original, and looks in history for their common version. Fails as
 * `findConflict` does, and with `too_large` for files that history could not keep.
 */
export async function compareConflict(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<ComparedConflict> {
  const { copy, original: path } = await findConflict(vault, request.name);
  const options = { bytesMax: limits.historyContentBytesMax };
  const files = {
    original: await vault.read(path, options),
    copy: await vault.read(copy, options),
  };
  const { hash } = vault.vault.parts;
  const tokenFor = (base: Version | undefined, total: number): string => {
    const what = [path, files.original.version, files.copy.version, base ?? '', total];
    return shortVersion(hash.version(encoder.encode(what.join('\n'))));
  };
  const found = { path, copy, files, common: {}, fromCopy: 0, choices: [], total: 0 };
  if (files.original.version === files.copy.version) {
    return { ...found, how: 'same', token: tokenFor(undefined, 0) };
  }
  const compared = isMergedByLines(path) ? await compareLines(vault, path, files) : undefined;
  if (compared === undefined) {
    return { ...found, how: 'whole', total: 1, token: tokenFor(undefined, 1) };
  }
  const { base, merged } = compared;
  const { fromCopy, choices, total, text } = merged;
  const isSame = text !== undefined && fromCopy === 0 && base === undefined;
  return {
    ...found,
    how: isSame ? 'same' : 'lines',
    ...(base === undefined ? {} : { commonMs: base.timeMs, common: mergedFrom(base) }),
    fromCopy,
    choices,
    total,
    token: tokenFor(base?.version, total),
  };
}

/** The comparison as callers are shown it, and what comes from the copy without a question. */
export async function showConflict(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<ShownConflict & { readonly diff: string }> {
  const compared = await compareConflict(vault, request);
  const { files, common: _, ...shown } = compared;
  const text =
    shown.how === 'lines'
      ? (await mergeFiles(vault, compared, { all: 'original' }))?.text
      : undefined;
  const diff =
    text === undefined
      ? ''
      : await vault.work('diff', {
          from: shown.path,
          to: shown.path,
          before: files.original.bytes,
          after: text,
        });
  return { ...shown, diff };
}

/** Merges the files with these choices; undefined for other files than text. */
export function mergeFiles(
  vault: BoundVault,
  { files, common }: Pick<ComparedConflict, 'files' | 'common'>,
  chosen: Partial<SidesChosen> = {},
): Promise<MergedCopy | undefined> {
  const sides = { original: files.original.bytes, copy: files.copy.bytes };
  return vault.work('mergeCopy', { ...sides, ...common }, { each: new Map(), ...chosen });
}

function mergedFrom({ bytes, doubts }: CommonVersion): ComparedConflict['common'] {
  return { base: bytes, ...(doubts === undefined ? {} : { doubts }) };
}

/** Whether lines of such a file stand on their own. A canvas or a base is one structure. */
function isMergedByLines(path: VaultPath): boolean {
  const kind = fileKind(path);
  return kind === 'note' || (kind === 'attachment' && extensionOf(path) !== 'json');
}

/**
 * Merges as far as nothing has to be chosen. Where the properties of the result would be broken
 * although those of both files are not, every difference becomes a choice. Undefined when one of the
 * files is not text.
 */
async function compareLines(
  vault: BoundVault,
  path: VaultPath,
  files: ComparedConflict['files'],
): Promise<
  | {
      readonly base: CommonVersion | undefined;
      readonly merged: MergedCopy;
    }
  | undefined
> {
  const plain = await mergeFiles(vault, { files, common: {} });
  if (plain === undefined || plain.total === 0) {
    return plain === undefined ? undefined : { base: undefined, merged: plain };
  }
  const withTime = ({ bytes, version, stat }: FileContent) => ({
    bytes,
    version,
    mtimeMs: stat.mtimeMs,
  });
  const base = await commonVersion(vault, {
    path,
    original: withTime(files.original),
    copy: withTime(files.copy),
  });
  if (base === undefined) return { base, merged: plain };
  const merged = await mergeFiles(vault, { files, common: mergedFrom(base) });
  const isBroken =
    merged?.text !== undefined &&
    (await brokenProperties(vault, path, { files, text: merged.text })) !== undefined;
  return merged === undefined || isBroken ? { base: undefined, merged: plain } : { base, merged };
}

/** What is wrong with the properties of a merged note; undefined when a side was broken before. */
export async function brokenProperties(
  vault: BoundVault,
  path: VaultPath,
  { files, text }: { readonly files: ComparedConflict['files']; readonly text: string },
): Promise<string | undefined> {
  if (fileKind(path) !== 'note') return undefined;
  const { problem } = await vault.work('properties', text);
  if (problem === undefined) return undefined;
  for (const { bytes } of [files.original, files.copy]) {
    const before = await vault.work('properties', decodeText(bytes));
    if (before.problem !== undefined) return undefined;
  }
  return problem;
}

/** Fails with `conflict` unless the files are still those that the caller was shown. */
export function checkToken(compared: ShownConflict, token: string): void {
  if (token === compared.token) return;
  throw new VaultError(
    'conflict',
    `"${compared.path}" or "${compared.copy}" has changed since they were shown, or the token is not theirs; look at them again, then choose.`,
    { details: { path: compared.path, copy: compared.copy } },
  );
}
