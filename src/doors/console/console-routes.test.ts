import { expect, it } from 'vitest';
import { consoleToolset } from '../../tools/console/console-toolset.ts';
import { findRoute } from './console-routes.ts';

it.each([
  ['GET', '/c/api/changes', 'changes'],
  ['GET', '/c/api/changes/44', 'change 44'],
  ['GET', '/c/api/changes/c-abc%20d', 'change c-abc d'],
  ['POST', '/c/api/proposals/accept', 'accept-proposals'],
  ['GET', '/c/api/proposals/p12%403f9a01', 'proposal p12@3f9a01'],
  ['DELETE', '/c/api/tokens/ab', 'revoke-token ab'],
  ['GET', '/c/api/tokens/ab', 'only DELETE'],
  ['PUT', '/c/api/tokens', 'only GET,POST'],
  ['GET', '/c/api/changes/', 'nothing'],
  ['GET', '/c/api/changes/4/5', 'nothing'],
  ['GET', '/c/api/changes/%E0%A4%A', 'nothing'],
  ['GET', '/c/api/', 'nothing'],
  ['GET', '/c/apichanges', 'nothing'],
])('%s %s is %s', (method, path, expected) => {
  const found = findRoute(method, path);
  if (found === undefined) expect('nothing').toBe(expected);
  else if ('allow' in found) expect(`only ${found.allow}`).toBe(expected);
  else {
    const { route, id } = found;
    const to = 'tool' in route ? route.tool : route.own;
    expect(id === undefined ? to : `${to} ${id}`).toBe(expected);
  }
});

it('leads to every tool of the console', () => {
  const missing = consoleToolset.tools.filter(({ name, effect }) => {
    const path = `/c/api/${name === 'change' ? 'changes/1' : name.replaceAll('_', '-')}`;
    const isPost = effect !== 'read' || name === 'check' || name === 'base';
    const found = findRoute(isPost ? 'POST' : 'GET', path);
    return found === undefined || !('route' in found);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
