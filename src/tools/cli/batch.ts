import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { runBatch } from '../../engine/operations/write/run-batch.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { changeText } from './change-text.ts';
import { DryRun, reportShape } from './define-change.ts';
import { readBatch } from './read-batch.ts';
import { listOf } from './schemas.ts';

/** The tool `batch`. Its lines may use those of `tools` that are made with `defineChange`. */
export function batchTool(tools: readonly AnyTool[]): AnyTool {
  return defineTool({
    name: 'batch',
    title: 'Several operations as one change',
    description:
      'Runs operations from stdin as one change, all or none. Each line is a JSON object, {"op":"append","name":"A","text":"x"}, where "op" is a command ("tag-rename" for "tag rename") and the rest are its arguments, spelled as docs/tools.md lists them.',
    effect: 'destroy',
    input: z.object({
      lines: z.string().describe('The operations (default: from stdin).'),
      dryRun: DryRun,
    }),
    output: z.object({ results: listOf(z.looseObject({})), ...reportShape }),
    record: [],
    content: { argument: 'lines', bytesMax: limits.batchInputBytesMax, otherwise: 'stdin' },
    examples: [
      `printf '%s\\n' '{"op":"create","path":"Inbox/Idea"}' '{"op":"link","name":"Home","target":"Idea"}' | vaultdoor batch`,
    ],
    run: async (vault, { lines, dryRun }) => {
      const answer = await vault.change(runBatch, {
        steps: readBatch(lines, { tools, dryRun }),
        dryRun,
      });
      return { ...answer, results: answer.results.map((result) => ({ ...result })) };
    },
    text: (answer, paint) => changeText(answer, paint),
  });
}
