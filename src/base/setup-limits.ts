/** The limits of `vaultdoor setup`. */
export const setupLimits = {
  /** How often a question is asked again after an answer that makes no sense. */
  answersMax: 10,
  /** How long the first call may take, with the first indexing of a large vault. */
  firstCallMs: 10 * 60_000,
  /** How long the server may take for one answer of the first call. */
  firstAnswerMs: 60_000,
  /** One answer of the first call; a longer one is not read. */
  firstAnswerBytesMax: 4 * 1024 * 1024,
  /** How long to wait before a vault that is still being indexed is asked again. */
  firstCallAgainMs: 500,
  /** How long a server may take until it answers at its address. */
  serverUpMs: 30_000,
  /** How long `systemctl` may take. A service may need 40 seconds to stop. */
  systemctlMs: 60_000,
  /** What `systemctl` may print. */
  systemctlBytesMax: 1024 * 1024,
} as const;
