import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  openWrittenFolder,
  testCaller,
  type WrittenVault,
} from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { openRipgrep } from '../../node/programs/ripgrep/ripgrep.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { createService, type Service } from '../service/service.ts';
import { agentToolset } from './agent-toolset.ts';
import { vaultSearchTool } from './vault-search.ts';

let opened: WrittenVault;
let service: Service;

beforeAll(async () => {
  const root = tempFolder(
    {
      'devlog/one.md': '# One\n\nDeployed (twice).\r\nTODO: deploy again',
      'adr/ADR-001-x.md': '---\ntags: [adr]\n---\nDeploy with care.',
      'long.md': `${'long '.repeat(80)}\n`.repeat(200),
      'many.md': 'many\n'.repeat(1_000),
    },
    afterAll,
  );
  const { env, platform } = process;
  opened = await openWrittenFolder(root, {
    parts: { lines: openRipgrep({ root, env, platform }) },
  });
  const { voice } = agentToolset({ sync: false, publish: false });
  const toolset = { name: 'agent', tools: [vaultSearchTool], voice } as const;
  service = createService(opened.whole, [toolset], nodeTimers);
});
afterAll(() => opened.close());

interface Answer {
  readonly results: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
  }[];
  readonly truncated: boolean;
  readonly note?: string;
}

async function search(args: object): Promise<Answer> {
  const outcome = await service.call('vault_search', args, testCaller({ door: 'mcp-http' }));
  if (!outcome.ok) throw outcome.error;
  const value = JSON.parse(JSON.stringify(outcome.value)) as Answer;
  expect(vaultSearchTool.output.parse(value)).toEqual(value);
  return value;
}

const adr = { path: 'adr/ADR-001-x.md', line: 4, text: 'Deploy with care.' };
const done = { path: 'devlog/one.md', line: 3, text: 'Deployed (twice).' };
const todo = { path: 'devlog/one.md', line: 4, text: 'TODO: deploy again' };

describe('vault_search', () => {
  it.each<[object, readonly object[]]>([
    [{ query: '(?i)deploy' }, [adr, done, todo]],
    [{ query: '(?i)deploy', path_filter: 'devlog/*.md' }, [done, todo]],
    [{ query: '(?i)deploy', path_filter: '' }, [adr, done, todo]],
    [{ query: '(?i)deploy', path_filter: null }, [adr, done, todo]],
    [{ query: '\\(twice\\)\\.$' }, [done]],
    [{ query: 'nowhere' }, []],
  ])('%j finds %j', async (args, results) => {
    expect(await search(args)).toEqual({ results, truncated: false });
  });

  it('says that there are more lines than it shows, and what to do', async () => {
    const { results, ...rest } = await search({ query: 'many' });
    expect(results).toHaveLength(limits.foundLinesMax);
    expect(rest).toEqual({
      truncated: true,
      note: 'Only the first 500 lines are shown. Make the query more exact, or set path_filter.',
    });
  });

  it('answers no more characters than an answer may have', async () => {
    const answer = await search({ query: 'long' });
    expect(answer.truncated).toBe(true);
    expect(answer.note).toContain(`the first ${answer.results.length} lines`);
    expect(answer.results.length).toBeGreaterThan(50);
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limits.answerCharsMax);
  });

  it.each<[object, string, RegExp]>([
    [{ query: '(' }, 'invalid_input', /unclosed group/],
    [{ query: 'x', path_filter: 'a[' }, 'invalid_input', /error parsing glob/],
    [{ query: '' }, 'invalid_input', /query/],
    [{}, 'invalid_input', /query/],
    [{ query: 'x'.repeat(5_000) }, 'too_large', /at most 1000 characters/],
  ])('%j fails with %s', async (args, code, message) => {
    await expect(search(args)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});
