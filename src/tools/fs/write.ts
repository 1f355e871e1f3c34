import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import {
  rawAppend,
  rawCopy,
  rawMakeFolder,
  rawWrite,
} from '../../engine/operations/raw/raw-write.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Changed, changeFile, changeFiles, Nothing } from './change-files.ts';
import { ExpectedMtime, Path, Recursive } from './schemas.ts';

/** Text for a file. UTF-8 cannot encode half a surrogate pair, so that becomes U+FFFD. */
const Content = z
  .string()
  .overwrite((text) => text.replace(/\p{Surrogate}/gu, '\ufffd'))
  .default('')
  .describe('The text.');

const ContentBase64 = z
  .string()
  .default('')
  .describe('The bytes in base64, of the standard alphabet with padding.');

const encoder = new TextEncoder();

export const writeTool = defineTool({
  name: 'fs.write',
  title: 'Write text',
  description: 'Gives a file this text, or makes it with the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, content: Content, expectedMtime: ExpectedMtime }),
  output: Changed,
  record: ['path', 'expectedMtime'],
  run: (vault, { path, content, expectedMtime: expectedMtimeMs }) => {
    const bytes = encoder.encode(content);
    return changeFile(vault, rawWrite, { path: fsPath(path), bytes, expectedMtimeMs });
  },
});

export const writeBinaryTool = defineTool({
  name: 'fs.writeBinary',
  title: 'Write binary',
  description: 'Gives a file these bytes, or makes it with the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, contentBase64: ContentBase64, expectedMtime: ExpectedMtime }),
  output: Changed,
  record: ['path', 'expectedMtime'],
  run: (vault, { path, contentBase64, expectedMtime: expectedMtimeMs }) => {
    // Before the path is checked: clients expect this failure first.
    const bytes = decodeBase64(vault, contentBase64);
    return changeFile(vault, rawWrite, { path: fsPath(path), bytes, expectedMtimeMs });
  },
});

export const appendTool = defineTool({
  name: 'fs.append',
  title: 'Append text',
  description: 'Puts text at the end of a file, or makes the file, but not its folder.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, content: Content }),
  output: Changed,
  record: ['path'],
  run: (vault, { path, content }) =>
    changeFile(vault, rawAppend, { path: fsPath(path), bytes: encoder.encode(content) }),
});

export const appendBinaryTool = defineTool({
  name: 'fs.appendBinary',
  title: 'Append binary',
  description: 'Puts bytes at the end of a file, or makes the file, but not its folder.',
  effect: 'write',
  raw: true,
  input: z.object({ path: Path, contentBase64: ContentBase64 }),
  output: Changed,
  record: ['path'],
  run: (vault, { path, contentBase64 }) => {
    const bytes = decodeBase64(vault, contentBase64);
    return changeFile(vault, rawAppend, { path: fsPath(path), bytes });
  },
});

export const copyTool = defineTool({
  name: 'fs.copy',
  title: 'Copy a file',
  description:
    'Puts the bytes of a file at another path, in place of a file there, and makes the folders it needs.',
  effect: 'write',
  raw: true,
  input: z.object({ srcPath: Path, destPath: Path }),
  output: Changed,
  record: ['srcPath', 'destPath'],
  run: (vault, { srcPath, destPath }) =>
    changeFile(vault, rawCopy, { from: fsPath(srcPath), to: fsPath(destPath) }),
});

export const mkdirTool = defineTool({
  name: 'fs.mkdir',
  title: 'Make a folder',
  description: 'Makes a folder; one that is there already is fine.',
  effect: 'write',
  raw: true,
  input: z.object({
    path: Path,
    recursive: Recursive.describe('Whether the folders above it are made too.'),
  }),
  output: Nothing,
  record: ['path', 'recursive'],
  run: (vault, { path, recursive }) =>
    changeFiles(vault, rawMakeFolder, { path: fsPath(path), recursive }),
});

function decodeBase64(vault: BoundVault, text: string): Uint8Array {
  const bytes = vault.vault.parts.base64.decode(text);
  if (bytes !== undefined) return bytes;
  throw new VaultError(
    'invalid_input',
    'The content is not base64 of the standard alphabet with padding.',
  );
}
