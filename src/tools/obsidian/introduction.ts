import type { Introduction } from '../toolset.ts';

/** What the toolset says of itself. */
export const obsidianIntroduction: Introduction = { serverName: 'obsidian-mcp' };
