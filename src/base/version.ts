/** The SHA-256 of a file's bytes, in lower-case hex: what a caller read, or means to replace. */
export type Version = string & { readonly Version: unique symbol };
