import type { ProtocolError } from '@modelcontextprotocol/server';
import { isObject } from '../../../base/json.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { toolError } from './mcp-errors.ts';

const example = '{"name": "…", "arguments": {…}}';

/** Fails when the parameters of `tools/call` do not have the form that the protocol asks for. */
export function checkCall(params: unknown): void {
  const why = problemOf(params);
  if (why !== undefined) throw refused(`${why}; "tools/call" takes ${example}.`);
}

function problemOf(params: unknown): string | undefined {
  if (!isObject(params)) return 'The call has no parameters';
  const { name, arguments: args } = params;
  if (name === undefined) return 'The call does not name a tool: "name" is missing';
  if (typeof name !== 'string') return `The name of the tool must be text, not ${kindOf(name)}`;
  if (args === undefined || isObject(args)) return undefined;
  return `The arguments must be an object, not ${kindOf(args)}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function refused(message: string): ProtocolError {
  return toolError(new VaultError('invalid_input', message), message);
}
