import { describe, expect, it } from 'vitest';
import { fixtureService } from '../../../../test/conformance/fixtures.ts';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import type { Content, Outcome } from '../../../tools/define/outcome.ts';
import type { Service } from '../../../tools/service/service.ts';

/** A service whose one tool answers with this content. */
function answering(content: readonly unknown[], how: 'well' | 'badly' = 'well'): Service {
  const outcome = { ok: how === 'well', content: content as readonly Content[], error: {} };
  return { ...fixtureService, has: () => true, call: async () => outcome as Outcome };
}

const items = [
  { type: 'text', text: 'a', unknown: 1, annotations: { priority: 7, odd: true } },
  { type: 'image', data: 'not base64 at all', mimeType: 'image/png', width: 3 },
  { type: 'resource', resource: { uri: 'x:' } },
  { type: 'hologram', depth: { cm: [3, null] } },
  { type: 'text' },
];

describe.each(['2025', '2026'] as const)('content of %s', (era) => {
  it.each([
    ['well', items],
    ['badly', items],
    ['well', []],
  ] as const)('that came %s goes out as it is', async (how, content) => {
    const wire = new McpWire(answering(content, how));
    if (era === '2025') await wire.initialize();
    const params = { name: 'x', arguments: {} };
    const { result, error } = await (era === '2025'
      ? wire.request('tools/call', params)
      : wire.modern('tools/call', params));
    expect(error).toBeUndefined();
    expect(result?.['content']).toEqual(content);
    expect(result?.['isError']).toBe(how === 'badly' ? true : undefined);
    await wire.end();
  });
});
