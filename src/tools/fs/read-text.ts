import { z } from 'zod';
import { rawReadText } from '../../engine/operations/raw/raw-read.ts';
import { withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { inParts } from './read-binary.ts';
import { Path } from './schemas.ts';

const Encoding = z.literal('utf8');

export const readTextTool = defineTool({
  name: 'fs.readText',
  title: 'Read text',
  description: 'The text of a file as it is; what is not UTF-8 is an error.',
  effect: 'read',
  raw: true,
  input: z.object({ path: Path, encoding: Encoding.default('utf8') }),
  output: z.object({
    content: z.string(),
    mtime: z.number(),
    size: z.number(),
    encoding: Encoding,
  }),
  record: ['path'],
  run: async (vault, { path, encoding }) => {
    const { text, stat } = await withAdvice({ too_large: inParts }, () =>
      rawReadText(vault, { path: fsPath(path) }),
    );
    return { content: text, mtime: stat.mtimeMs, size: stat.size, encoding };
  },
});
