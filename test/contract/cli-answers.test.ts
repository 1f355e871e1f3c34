import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/cli/call/parse-command.ts';
import { splitCommand } from '../../src/cli/options/command-line.ts';
import { paintFor } from '../../src/cli/shell/terminal.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { cliToolset } from '../../src/tools/cli/cli-toolset.ts';
import type { AnyTool } from '../../src/tools/define/define-tool.ts';
import { createService } from '../../src/tools/service/service.ts';
import { base64Of } from '../support/media.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openWrittenFolder, testCaller } from '../support/written-vault.ts';

// Every command of every transcript, once more without a process: what it answers is exactly what
// its output schema promises, and history keeps no text of notes.

const transcriptsFolder = fileURLToPath(new URL('../transcripts', import.meta.url));
const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));
const toolset = cliToolset(paintFor({ isTTY: false }, {}));
const names = toolset.tools.map((tool) => tool.name);
const answered = new Set<string>();

interface Call {
  readonly line: string;
  readonly tool: AnyTool;
  readonly args: Record<string, unknown>;
}

/** The calls of a transcript; what is refused before it is a call, and help, are left out. */
function callsOf(transcript: string): Call[] {
  const blocks = transcript.matchAll(/^\$ (?:\S+=\S+ )?vaultdoor (.*)\n((?:< .*\n)*)/gm);
  return Array.from(blocks, ([, line = '', stdin = '']) => ({ line, stdin })).flatMap(
    ({ line, stdin }) => {
      const argv = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, a, b]) => a ?? b ?? '');
      const { name, rest } = splitCommand(argv, names);
      const tool = toolset.tools.find((candidate) => candidate.name === name);
      if (tool === undefined || rest.includes('--help')) return [];
      try {
        const { args, content } = parseCommand(tool, rest);
        const text = stdin.replace(/^< /gm, '');
        const given = content?.from === 'stdin' && tool.content;
        // The program reads the file of `attach` itself.
        const attached = name === 'attach' ? { data: base64Of('dot.png') } : {};
        return [
          {
            line,
            tool,
            args: { ...args, ...attached, ...(given ? { [given.argument]: text } : {}) },
          },
        ];
      } catch {
        return [];
      }
    },
  );
}

describe('what the command line answers fits its schema', () => {
  it.each(readdirSync(transcriptsFolder).filter((file) => file.endsWith('.txt')))(
    'in %s',
    async (file) => {
      const folder = join(tempFolder(), 'vault');
      cpSync(example, folder, { recursive: true, preserveTimestamps: true });
      const { whole, close } = await openWrittenFolder(folder);
      const service = createService(whole, [toolset], nodeTimers);
      for (const { line, tool, args } of callsOf(
        readFileSync(join(transcriptsFolder, file), 'utf8'),
      )) {
        const outcome = await service.call(tool.name, args, testCaller());
        if (!outcome.ok) {
          expect(outcome.error.code, `${line}: ${outcome.error.message}`).not.toBe('internal');
          continue;
        }
        answered.add(tool.name);
        // A schema drops what it does not know: what is left must be all that a program sees.
        const seen: unknown = JSON.parse(JSON.stringify(outcome.value));
        expect(tool.output.parse(seen), line).toEqual(seen);
      }
      await close();
    },
  );

  it('for every command', () => {
    expect(names.filter((name) => !answered.has(name))).toEqual([]);
  });
});

describe('what history may keep of a call', () => {
  /** Arguments that hold text of notes, or values of their properties. */
  const texts = ['text', 'content', 'find', 'put', 'before', 'after', 'value', 'properties'];
  const others = ['lines', 'query', 'display', 'title', 'task', 'filter', 'columns', 'group'];
  /** A path outside of the vault, and the content of an attachment. */
  const outside = ['file', 'data'];

  it.each(toolset.tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
    const args = Object.keys(tool.input.shape);
    expect(tool.record.filter((name) => !args.includes(name))).toEqual([]);
    expect(tool.record.filter((name) => [...texts, ...others].includes(name))).toEqual([]);
    const left = args.filter((name) => !tool.record.includes(name));
    const known = [...texts, ...others, ...outside, 'version', 'dryRun', 'yes'];
    expect(left.filter((name) => !known.includes(name))).toEqual([]);
  });
});
