import type { Introduction } from '../define/toolset.ts';

/** What a server says of itself when it serves this toolset; loaded without the tools. */
export const obsidianIntroduction: Introduction = { serverName: 'obsidian-mcp' };
