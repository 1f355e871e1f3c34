import { expect, it } from 'vitest';
import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = {
  'Trap.md': `A prepared trap: ${'a'.repeat(60)}!\n`,
  'Plain.md': 'A plain note without a trap, aaa\n',
};

interface Answer {
  readonly hits: readonly { readonly path: string }[];
  readonly total: number;
  readonly incomplete?: string;
}

function answerOf({ result }: WireMessage): Answer {
  const [first] = (result?.['content'] ?? []) as readonly { readonly text: string }[];
  return JSON.parse(first?.text ?? '') as Answer;
}

function search(query: string) {
  return { name: 'search_notes', arguments: { query } };
}

it('an expression without end holds up nobody, is answered as far as it came, and the next works', async () => {
  const folder = tempFolder(files);
  const program = new StdioProcess({ folder, args: ['--timeout', '10'] });
  await program.initialize();
  await program.request('tools/call', search('trap'));
  const order: string[] = [];
  const call = async (name: string, params: object): Promise<WireMessage> => {
    const answer = await program.request('tools/call', { ...params });
    order.push(name);
    return answer;
  };
  const stuck = call('endless', search('trap /(a+)+$/'));
  await call('read', { name: 'read_note', arguments: { name: 'Plain' } });
  await call('words', search('plain'));
  const other = answerOf(await call('expression', search('trap /a{3}$/')));
  expect(other).toMatchObject({ total: 1, hits: [{ path: 'Plain.md' }] });
  const late = answerOf(await stuck);
  expect(order).toEqual(['read', 'words', 'expression', 'endless']);
  expect(late.incomplete).toContain('narrow the query');
  expect(answerOf(await call('after', search('trap /a!$/')))).toMatchObject({ total: 1 });
  expect(await program.end()).toEqual({ code: 0, signal: null });
});
