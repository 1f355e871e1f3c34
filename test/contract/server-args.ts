import type { DoorOptions } from './contract-case.ts';

/** The options of a case as the command line of a server spells them. */
export function serverArgs(options: DoorOptions): string[] {
  const { toolset = 'notes', tagPolicy, historyTools = true, hide = [], readOnly } = options;
  const { contextEveryMinutes, contextPlace, contextBodyTags } = options;
  return [
    '--tools',
    toolset,
    ...(tagPolicy === undefined ? [] : ['--tag-policy', tagPolicy]),
    ...(historyTools ? [] : ['--no-history-tools']),
    ...hide.flatMap((glob) => ['--hide', glob]),
    ...(readOnly === true ? ['--read-only'] : []),
    ...(contextEveryMinutes === undefined ? [] : ['--context-every', String(contextEveryMinutes)]),
    ...(contextPlace === undefined ? [] : ['--context', contextPlace]),
    ...(contextBodyTags === true ? ['--context-body-tags'] : []),
  ];
}
