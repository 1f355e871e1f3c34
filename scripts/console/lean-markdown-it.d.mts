import type { Plugin } from 'esbuild';

export const leanMarkdownIt: Plugin;
