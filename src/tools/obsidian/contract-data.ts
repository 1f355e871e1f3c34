interface Told {
  readonly change?: number | null | undefined;
  readonly version?: string | undefined;
}

/**
 * How a tool tells what it has read or changed: as the contract shows it, without the number of the
 * change and the version of the note, which no tool of this toolset takes.
 */
export const contractData = {
  text: ({ change: _change, version: _version, ...data }: Told): string => JSON.stringify(data),
};
