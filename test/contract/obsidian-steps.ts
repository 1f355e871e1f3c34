import { expect } from 'vitest';
import { standInPrograms } from '../support/stand-in-programs.ts';
import { modernMeta } from '../support/stdio-process.ts';
import type { WireStart, WireStep } from './run-wire-case.ts';

// The seed's messages, and how a case says what is asked and answered.

/** The seed's own `initialize`, word for word. */
export const seedHello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'Claude Desktop', version: '1.0.0' },
  },
} as const;

export const seedHandshake: readonly WireStep[] = [
  { send: seedHello, answer: { id: 1, result: { protocolVersion: '2024-11-05' } } },
  { send: { jsonrpc: '2.0', method: 'notifications/initialized' } },
];

/** The seed's own error; issue 5 gives it the code of the seed's table. */
export const notRunning = {
  code: -32001,
  message: 'Obsidian application is not running. Please start Obsidian and try again.',
  data: { errorCode: 'OBSIDIAN_NOT_RUNNING' },
} as const;

/** A call of a tool, with the seed's id. */
export function call(name: string, args: object): object {
  return { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name, arguments: args } };
}

/** The same in the era of 2026-07-28. */
export function modernCall(name: string, args: object): object {
  const params = { name, arguments: args, _meta: modernMeta };
  return { jsonrpc: '2.0', id: 3, method: 'tools/call', params };
}

/** What a call answers: exactly this `data`, as one text. */
export function gives(name: string, args: object, data: object): WireStep {
  const text = JSON.stringify({ success: true, data });
  const content = [{ type: 'text', text }];
  return { send: call(name, args), answer: { id: 3, result: { content } } };
}

/** What a call answers: one text that has this in its `data`. */
export function tells(name: string, args: object, has: string): WireStep {
  const text = expect.stringMatching(
    new RegExp(`^\\{"success":true,"data":\\{.*${literal(has)}.*\\}\\}$`, 's'),
  );
  return {
    send: call(name, args),
    answer: { id: 3, result: { content: [{ type: 'text', text }] } },
  };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** How a call fails: the code of the seed's table, the name of it, and what the message says. */
export function fails(name: string, args: object, failure: Failure): WireStep {
  return { send: call(name, args), answer: { id: 3, error: errorOf(failure) } };
}

export interface Failure {
  readonly code: number;
  readonly errorCode: string;
  readonly says?: string | RegExp;
}

/** A failure as it comes over the wire. */
export function errorOf({ code, errorCode, says = /^\S.* .*\.$/s }: Failure): object {
  return { code, message: expect.stringMatching(says), data: { errorCode } };
}

type Behaviour = 'running' | 'not-running' | 'never-ends' | 'unknown-vault';

/** Serves the obsidian toolset alone, beside an app that behaves in this way; or none at all. */
export function serveObsidian(app?: Behaviour, ...args: readonly string[]): () => WireStart {
  return () => {
    const programs = app === undefined ? standInPrograms() : standInPrograms('obsidian');
    return {
      args: ['--tools', 'obsidian', ...args],
      env: { ...programs.env, ...(app === undefined ? {} : { STAND_IN_OBSIDIAN: app }) },
    };
  };
}
