const minuteMs = 60_000;
const mebibyte = 1024 * 1024;

/** The limits of `vaultdoor setup`. */
export const setupLimits = {
  /** How often a question is asked again after an answer that makes no sense. */
  answersMax: 10,
  /** How many folders of the home folder are looked at for vaults, and how many vaults are offered. */
  homeFoldersMax: 500,
  homeVaultsMax: 8,
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

/** The limits of `vaultdoor doctor`, as a part of `limits`. */
export const doctorLimits = {
  /** What it waits for an answer of a server, what it reads of one, and how wrong a clock may be. */
  doctorAskMs: 10_000,
  doctorAnswerBytesMax: 64 * 1024,
  doctorClockMs: minuteMs,
  /** How long each group of its checks may take. */
  doctorGroupMs: 15_000,
  /** How long it waits for a program on this machine, such as ripgrep, and for a local server. */
  doctorProgramMs: 5_000,
  /** How many vaults it looks at when none is given, and how many of them at the same time. */
  doctorVaultsMax: 8,
  doctorLooksMax: 3,
  /** How long it waits for the drive of a vault, and how long and how far it walks through one. */
  doctorLookMs: 8_000,
  doctorWalkMs: 4_000,
  doctorWalkFilesMax: 500_000,
  /** How many unreadable files of a vault it names. */
  doctorNamesMax: 3,
  /** A history of more bytes is opened, but not read whole to find damage. */
  doctorReadBytesMax: 256 * mebibyte,
  /** With less room on a disk something is wrong; with less than the second, it soon may be. */
  doctorRoomBytesMin: 50 * mebibyte,
  doctorRoomBytesFew: 500 * mebibyte,
  /** How many open files of processes it looks at to count the watches that are in use. */
  doctorOpenFilesMax: 20_000,
} as const;
