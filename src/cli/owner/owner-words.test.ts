import { expect, it } from 'vitest';
import type { TokenNames } from '../vaults/token-names.ts';
import { appText, askerText } from './owner-words.ts';

const tokens = { nameOf: () => undefined } as unknown as TokenNames;

it.each([
  ['claude-ai/0.14.0', 'Claude Desktop', 'Claude Desktop ("claude-ai/0.14.0", mcp-stdio)'],
  ['my-script/1', '"my-script"', '"my-script/1" (mcp-stdio)'],
  ['Claude Code', 'Claude Code', 'Claude Code ("Claude Code", mcp-stdio)'],
])('calls %s by one name in lists and in sentences', (client, inList, inSentence) => {
  const asker = { door: 'mcp-stdio', client } as const;
  expect(appText(asker, tokens)).toBe(inList);
  expect(askerText(asker, tokens)).toBe(inSentence);
});
