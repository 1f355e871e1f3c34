import { expect } from 'vitest';
import { allScopes, type Caller } from '../../src/base/caller.ts';
import { openRipgrep } from '../../src/node/programs/ripgrep/ripgrep.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import type { AnyTool } from '../../src/tools/define/define-tool.ts';
import { textsOf } from '../../src/tools/define/outcome.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { openWrittenFolder, testCaller } from '../support/written-vault.ts';
import type { Answer, Connection, ContractDoor, DoorOptions } from './contract-case.ts';

const minuteMs = 60_000;

/**
 * No door at all: the service as every door is given it. Beside the cases it holds each answer to
 * the output schema of its tool, which the texts that doors carry do not always show.
 */
export const serviceDoor: ContractDoor = {
  name: 'service',
  async open(folder, options) {
    const lines = openRipgrep({ root: folder, env: process.env, platform: process.platform });
    const { whole, keeper, close } = await openWrittenFolder(folder, { parts: { lines } });
    const toolset = toolsetOf(options);
    const service = createService(whole, [toolset], nodeTimers);
    let connections = 0;
    return {
      connect: async () => {
        const caller = callerFor(`c${++connections}`, options);
        const settle = (): Promise<void> => keeper.reconcile();
        return serviceConnection({ service, caller, tools: toolset.tools, settle });
      },
      close,
    };
  },
};

function toolsetOf(options: DoorOptions): Toolset {
  if (options.toolset === 'agent') {
    const refusesUndescribed = options.tagPolicy === 'strict';
    return agentToolset({ sync: false, publish: false, refusesUndescribed });
  }
  return notesToolset({
    tagPolicy: options.tagPolicy ?? 'enforce',
    history: options.historyTools ?? true,
    contextEveryMs: (options.contextEveryMinutes ?? 15) * minuteMs,
    contextPlace: options.contextPlace ?? 'glued',
    contextBodyTags: options.contextBodyTags ?? false,
  });
}

function callerFor(connection: string, options: DoorOptions): Caller {
  const { person, hide = [], readOnly = false } = options;
  return testCaller({
    door: 'mcp-stdio',
    connection,
    scopes: { ...allScopes, hide, ...(readOnly ? { effects: ['read'] } : {}) },
    ...(person === undefined ? {} : { ask: async () => person === 'agrees' }),
  });
}

function serviceConnection(parts: {
  readonly service: Service;
  readonly caller: Caller;
  readonly tools: readonly AnyTool[];
  readonly settle: () => Promise<void>;
}): Connection {
  const { service, caller, tools, settle } = parts;
  return {
    async call(name, args): Promise<Answer> {
      const outcome = await service.call(name, args, caller);
      const tool = tools.find((each) => each.name === name);
      if (outcome.ok) {
        // A schema drops what it does not know: what is left must be all that a program sees.
        const seen: unknown = JSON.parse(JSON.stringify(outcome.value));
        expect(tool?.output.parse(seen), name).toEqual(seen);
      } else {
        expect(outcome.error.code, outcome.error.message).not.toBe('internal');
      }
      return {
        failed: !outcome.ok,
        text: textsOf(outcome.content).join(''),
        pieces: outcome.content.length,
        ...(outcome.ok && outcome.structured !== undefined
          ? { structured: outcome.structured }
          : {}),
      };
    },
    list: async () => service.list(caller.scopes.effects),
    prompt: (name, args) => service.prompt(name, args, caller),
    instructions: async () => service.instructions(caller.scopes.effects),
    edited: settle,
    close: async () => service.disconnected(caller.connection ?? ''),
  };
}
