/** A version as callers give it back: its first 12 to 64 digits. */
export type VersionStart = string & { readonly VersionStart: unique symbol };

/**
 * The SHA-256 of a file's bytes, in lower-case hex. Tells whether a file is still as it was read.
 */
export type Version = VersionStart & { readonly Version: unique symbol };

/** How many digits answers show: enough to tell versions apart, and five times shorter. */
const shownDigits = 12;

/** A version as answers show it. Files, history and the journal keep all of its digits. */
export function shortVersion(version: Version): VersionStart {
  return version.slice(0, shownDigits) as VersionStart;
}

/** Whether a text can be a version that a caller gives back. */
export function isVersionStart(text: string): boolean {
  return /^[0-9a-f]{12,64}$/.test(text);
}

/** Whether a version is the one that a caller gave, or begins with what the caller gave. */
export function isAtVersion(version: Version | undefined, given: VersionStart): boolean {
  return version?.startsWith(given) === true;
}

/** Whether a caller gave all digits, so that no other content can be meant. */
export function isWholeVersion(given: VersionStart): given is Version {
  return given.length === 64;
}
