import { expect } from 'vitest';
import type { Caller } from '../../src/base/caller.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import type { VaultOptions } from './indexed-vault.ts';
import { type MemoryVault, openWrittenVault, testCaller } from './written-vault.ts';

/** How a call of a tool ended: its text, and what else a test may look at. */
export interface ToolAnswer {
  readonly ok: boolean;
  readonly text: string;
  /** The text as JSON, where it is. */
  readonly json: Record<string, unknown>;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly structured: unknown;
  /** The code of a failure. */
  readonly code: string | undefined;
}

/** A vault in memory behind a toolset. */
export interface ToolsetVault extends MemoryVault {
  call(tool: string, args?: object, caller?: Partial<Caller>): Promise<ToolAnswer>;
}

/** Opens one; each answer is held to the output schema of its tool. */
export async function openToolset(
  files: Parameters<typeof openWrittenVault>[0],
  toolset: Toolset,
  options: VaultOptions = {},
): Promise<ToolsetVault> {
  const opened = await openWrittenVault(files, options);
  const service = createService(opened.whole, [toolset], nodeTimers);
  const connection = { door: 'mcp-stdio', connection: 'c1' } as const;
  return {
    ...opened,
    async call(name, args = {}, caller = {}) {
      const outcome = await service.call(name, args, testCaller({ ...connection, ...caller }));
      const text = textsOf(outcome.content).join('');
      // What was only proposed is answered in the service's own words.
      if (outcome.ok && !isProposed(outcome.value)) {
        // A schema drops what it does not know: what is left must be all that there is.
        const seen: unknown = JSON.parse(JSON.stringify(outcome.value));
        const { tools, forProposers = [] } = toolset;
        const tool = [...tools, ...forProposers].find((each) => each.name === name);
        expect(tool?.output.parse(seen), name).toEqual(seen);
      }
      const [first] = outcome.content;
      return {
        ok: outcome.ok,
        text,
        json: jsonOf(text),
        meta: first?.type === 'text' ? first._meta : undefined,
        structured: outcome.ok ? outcome.structured : undefined,
        code: outcome.ok ? undefined : outcome.error.code,
      };
    },
  };
}

function isProposed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'proposed' in value;
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
