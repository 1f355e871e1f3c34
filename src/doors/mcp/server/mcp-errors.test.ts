import { expect, it } from 'vitest';
import { VaultError } from '../../../base/vault-error.ts';
import { protocolError, restoreErrorCode } from './mcp-errors.ts';

const codeAfter = (code: number, data?: unknown): unknown => {
  const error = { code, message: 'x', ...(data === undefined ? {} : { data }) };
  const restored = restoreErrorCode({ jsonrpc: '2.0', id: 1, error });
  return 'error' in restored ? restored.error : restored;
};

it.each([
  [-32602, { errorCode: 'VAULT_NOT_FOUND' }, -32002],
  [-32602, { errorCode: 'RESOURCE_NOT_FOUND', uri: 'x' }, -32002],
  [-32602, { errorCode: 'NOT_FOUND' }, -32602],
  [-32602, { errorCode: 'toString' }, -32602],
  [-32602, null, -32602],
  [-32602, undefined, -32602],
  [-32603, { errorCode: 'VAULT_NOT_FOUND' }, -32603],
])('%d with %j is %d in the 2025 era', (code, data, restored) => {
  expect(codeAfter(code, data)).toMatchObject({ code: restored, message: 'x' });
});

it('results are left alone', () => {
  const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;
  expect(restoreErrorCode(answer)).toBe(answer);
});

it('a failure says which code it has, and of which resource it tells', () => {
  const error = new VaultError('not_found', 'There is none.', { excerpt: 'Dear diary' });
  expect(protocolError(error)).toMatchObject({
    code: -32602,
    message: 'There is none.',
    data: { errorCode: 'NOT_FOUND' },
  });
  expect(protocolError(error, 'vault:///A.md').data).toEqual({
    errorCode: 'RESOURCE_NOT_FOUND',
    uri: 'vault:///A.md',
  });
});
