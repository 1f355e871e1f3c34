import type { Introduction } from '../define/toolset.ts';

/**
 * What a server with this toolset says about itself; a file of its own, so that no tool is loaded.
 */
export const obsidianIntroduction: Introduction = { serverName: 'obsidian-mcp' };
