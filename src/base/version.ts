/**
 * The SHA-256 of a file's bytes, in lower-case hex. Tells whether a file is still as it was read.
 */
export type Version = string & { readonly Version: unique symbol };
