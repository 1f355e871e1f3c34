import type { Introduction } from '../define/toolset.ts';

/** What the toolset says of itself. */
export const obsidianIntroduction: Introduction = { serverName: 'obsidian-mcp' };
