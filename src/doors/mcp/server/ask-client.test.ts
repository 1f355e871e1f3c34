import { describe, expect, it } from 'vitest';
import { McpWire } from '../../../../test/support/mcp-wire.ts';
import type { WireMessage } from '../../../../test/support/stdio-process.ts';
import { WaitingTools } from '../../../../test/support/waiting-tools.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { nodeTimers } from '../../../node/system/node-ports.ts';
import { createService } from '../../../tools/service/service.ts';

async function open(): Promise<McpWire> {
  const { whole } = await openWrittenVault({});
  return new McpWire(createService(whole, [new WaitingTools().toolset], nodeTimers));
}

const textOf = ({ result }: WireMessage): unknown =>
  (result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

const yes = { action: 'accept', content: { agree: true } };
const refused = 'tag_not_allowed: Not agreed.';
const answers: [string, object, string][] = [
  ['a yes', yes, '"agreed"'],
  ['a form without a yes', { action: 'accept', content: { agree: false } }, refused],
  ['an empty form', { action: 'accept' }, refused],
  ['a refusal', { action: 'decline' }, refused],
  ['a closed form', { action: 'cancel' }, refused],
];

describe('in the 2025 era', () => {
  it.each(answers)('%s is what the call goes by', async (_name, answer, text) => {
    const wire = await open();
    await wire.initialize({ elicitation: {} });
    const called = wire.call('agree', { question: 'New tag?' });
    const asked = await wire.find(({ method }) => method === 'elicitation/create');
    expect(asked.params).toMatchObject({
      message: 'New tag?',
      requestedSchema: { properties: { agree: { type: 'boolean' } } },
    });
    wire.send({ jsonrpc: '2.0', id: asked.id, result: answer });
    expect(textOf(await called)).toBe(text);
    await wire.end();
  });

  it.each([{}, { elicitation: { url: {} } }])('nobody is asked through %j', async (declared) => {
    const wire = await open();
    await wire.initialize(declared);
    const answer = await wire.call('agree', { question: 'New tag?' });
    expect(textOf(answer)).toBe('tag_not_allowed: Nobody to ask.');
    await wire.end();
  });

  it('a question that is open when the input ends counts as refused, at once', async () => {
    const wire = await open();
    await wire.initialize({ elicitation: {} });
    const called = wire.call('agree', { question: 'New tag?' });
    await wire.find(({ method }) => method === 'elicitation/create');
    await wire.end();
    expect(textOf(await called)).toBe(refused);
  });

  it('a question that comes after the input has ended is not waited for', async () => {
    const wire = await open();
    await wire.initialize({ elicitation: {} });
    const called = wire.call('agree', { question: 'New tag?' });
    await wire.end();
    expect(textOf(await called)).toBe(refused);
  });
});

it.each([
  ['an error', { error: { code: -32601, message: 'Method not found' } }],
  ['what is no answer', { result: { nonsense: true } }],
  ['a form that is none', { result: { action: 'accept', content: { agree: { yes: true } } } }],
])('%s in place of an answer is a no: the refusal stands', async (_name, answer) => {
  const wire = await open();
  await wire.initialize({ elicitation: {} });
  const called = wire.call('agree', { question: 'New tag?' });
  const { id } = await wire.find(({ method }) => method === 'elicitation/create');
  wire.send({ jsonrpc: '2.0', id, ...answer });
  expect(textOf(await called)).toBe(refused);
  await wire.end();
});

describe('in the 2026 era', () => {
  const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
  const call = (wire: McpWire, question: string, inputResponses?: object): Promise<WireMessage> =>
    wire.modern(
      'tools/call',
      {
        name: 'agree',
        arguments: { question },
        ...(inputResponses === undefined ? {} : { inputResponses }),
      },
      meta,
    );
  const keyOf = ({ result }: WireMessage): string =>
    Object.keys((result?.['inputRequests'] as object | undefined) ?? {})[0] ?? '';

  it.each(answers)('%s is what the repeated call goes by', async (_name, answer, text) => {
    const wire = await open();
    const first = await call(wire, 'New tag?');
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    expect(textOf(await call(wire, 'New tag?', { [keyOf(first)]: answer }))).toBe(text);
    await wire.end();
  });

  it('an answer does not count for another question', async () => {
    const wire = await open();
    const first = await call(wire, 'New tag "a"?');
    const second = await call(wire, 'New tag "b"?', { [keyOf(first)]: yes });
    expect(second.result).toMatchObject({ resultType: 'input_required' });
    expect(keyOf(second)).not.toBe(keyOf(first));
    await wire.end();
  });

  it('nobody is asked who did not say so', async () => {
    const wire = await open();
    const answer = await wire.modern('tools/call', {
      name: 'agree',
      arguments: { question: 'New tag?' },
    });
    expect(textOf(answer)).toBe('tag_not_allowed: Nobody to ask.');
    await wire.end();
  });
});
