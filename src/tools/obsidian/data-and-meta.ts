import { given } from '../note-input.ts';

interface Told {
  readonly path?: string | undefined;
  readonly change?: number | null | undefined;
  readonly version?: string | undefined;
}

/**
 * How a tool tells what it has read or changed: `data` keeps to what the contract shows, and what
 * only programs want, the number of the change and the version of the note, is beside it.
 */
export const dataAndMeta = {
  text: ({ change: _change, version: _version, ...data }: Told): string => JSON.stringify(data),
  meta: ({ path, change, version }: Told): Readonly<Record<string, unknown>> =>
    given({
      'vaultdoor/path': path,
      'vaultdoor/change': change ?? undefined,
      'vaultdoor/version': version,
    }),
};
