import type { Elsewhere } from '../../tools/define/toolset.ts';

const section = 'use the command "section"';

/** What to use in place of commands and options that people and scripts try. */
export const cliElsewhere: Elsewhere = {
  tools: {
    cat: { tool: 'read' },
    conflict: { tool: 'conflicts list' },
    diff: { tool: 'show' },
    find: { tool: 'search' },
    get: { tool: 'read' },
    grep: { tool: 'search' },
    log: { tool: 'history' },
    ls: { tool: 'list' },
    mv: { tool: 'move' },
    new: { tool: 'create' },
    rm: { tool: 'delete' },
  },
  arguments: {
    read: { section, heading: section },
    search: { tag: 'write tag: in the query', property: 'write [property:value] in the query' },
  },
};
