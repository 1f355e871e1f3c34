/** What the worker that scans is started with. */
export interface ScanWorkerData {
  readonly role: 'scan';
  readonly root: string;
  readonly allowRoots: readonly string[];
}

/** What the worker that holds the index is started with. */
export interface IndexWorkerData {
  readonly role: 'index';
  readonly file: string;
  readonly leaseFile: string;
  /** The vault's real folder: an index of another one is thrown away. */
  readonly vault: string;
}

/** What the worker that holds the history and the commit lock is started with. */
export interface StateWorkerData {
  readonly role: 'state';
  readonly stateFile: string;
  readonly lockFile: string;
}

/** What the worker that watches is started with. */
export interface WatchWorkerData {
  readonly role: 'watch';
  readonly root: string;
  readonly allowRoots: readonly string[];
  readonly poll: PollChoice;
  readonly pollEveryMs: number;
  readonly markerFolder?: string;
}

/** What a worker that reads files for a search is started with. */
export interface MatchWorkerData {
  readonly role: 'match';
  readonly root: string;
  readonly allowRoots: readonly string[];
}

/** What the worker that makes thumbnails is started with. */
export interface ThumbnailWorkerData {
  readonly role: 'thumbnail';
}

/** Polling always, never, or where the file system gives no events. */
export type PollChoice = boolean | 'auto';

export type WorkerData =
  | ScanWorkerData
  | IndexWorkerData
  | StateWorkerData
  | WatchWorkerData
  | MatchWorkerData
  | ThumbnailWorkerData;

const roles: readonly unknown[] = [
  'scan',
  'index',
  'state',
  'watch',
  'match',
  'thumbnail',
] satisfies WorkerData['role'][];

/** Whether a thread was started as one of our workers. */
export function isWorkerData(data: unknown): data is WorkerData {
  return typeof data === 'object' && data !== null && 'role' in data && roles.includes(data.role);
}
