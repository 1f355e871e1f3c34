import { expect, it } from 'vitest';
import type { Right } from '../../base/caller.ts';
import { rightsAsked, rightsLeft, scopeOf, scopeOffered } from './scope-words.ts';

it.each<[readonly Right[], string]>([
  [['write', 'read'], 'vault:read vault:write'],
  [['read', 'write', 'destroy'], 'vault:read vault:write vault:delete'],
  [['read', 'propose'], 'vault:read vault:propose'],
  [[], ''],
])('%j is the scope %j', (some, scope) => {
  expect(scopeOf(some)).toBe(scope);
});

it.each<[string | undefined, readonly Right[]]>([
  [undefined, ['read', 'write']],
  ['', ['read', 'write']],
  ['claudeai offline_access', ['read', 'write']],
  ['vault:read', ['read']],
  ['claudeai vault:read', ['read']],
  ['vault:delete vault:read vault:read', ['read', 'destroy']],
  ['vault:propose', ['propose']],
  ['VAULT:READ __proto__', ['read', 'write']],
])('the scope %j asks for %j', (scope, asked) => {
  expect(rightsAsked(scope)).toEqual(asked);
});

it.each<[string | undefined, readonly Right[] | undefined]>([
  [undefined, ['read', 'write']],
  ['', ['read', 'write']],
  ['offline_access', ['read', 'write']],
  ['vault:read', ['read']],
  ['vault:write vault:read', ['read', 'write']],
  ['vault:read vault:delete', undefined],
  ['vault:propose', undefined],
])('of reading and writing, the scope %j leaves %j', (scope, left) => {
  expect(rightsLeft(scope, ['read', 'write'])).toEqual(left);
});

it.each<[readonly Right[], string]>([
  [['read', 'write', 'destroy'], 'vault:read vault:write'],
  [['read', 'write', 'propose'], 'vault:read vault:write'],
  [['read', 'propose'], 'vault:read vault:propose'],
  [['read'], 'vault:read'],
])('a server with %j offers %j', (some, scope) => {
  expect(scopeOffered(some)).toBe(scope);
});
