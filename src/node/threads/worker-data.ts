/** The start data of the worker that scans files. */
export interface ScanWorkerData {
  readonly role: 'scan';
  readonly root: string;
  readonly allowRoots: readonly string[];
}

/** The start data of the worker that holds the index. */
export interface IndexWorkerData {
  readonly role: 'index';
  readonly file: string;
  readonly leaseFile: string;
  /** The vault's real folder. An index of another vault is deleted and built anew. */
  readonly vault: string;
  /** The index cannot become larger than this; by default it can. */
  readonly bytesMax?: number;
}

/** The start data of the worker that holds the history and the commit lock. */
export interface StateWorkerData {
  readonly role: 'state';
  readonly stateFile: string;
  readonly lockFile: string;
}

/** The start data of the worker that watches the vault. */
export interface WatchWorkerData {
  readonly role: 'watch';
  readonly root: string;
  readonly allowRoots: readonly string[];
  readonly poll: PollChoice;
  readonly pollEveryMs: number;
  readonly markerFolder?: string;
}

/** The start data of a worker that reads files for a search. */
export interface MatchWorkerData {
  readonly role: 'match';
  readonly root: string;
  readonly allowRoots: readonly string[];
}

/** The start data of the worker that makes thumbnails. */
export interface ThumbnailWorkerData {
  readonly role: 'thumbnail';
}

/** The start data of a worker that reads PDFs and drawings. */
interface PdfWorkerData {
  readonly role: 'pdf';
}

/** The start data of the worker that has the vectors of a vault. */
export interface MeaningWorkerData {
  readonly role: 'meaning';
  readonly file: string;
  readonly leaseFile: string;
  readonly model: string;
}

/** The start data of the worker that computes vectors; see `LocalPlace`. */
interface EmbedWorkerData {
  readonly role: 'embed';
  readonly entryFile: string;
  readonly folder?: string;
}

/** The start data of a worker that works on large notes. */
interface NoteWorkerData {
  readonly role: 'note';
}

/** The start data of a worker that evaluates bases. */
interface ViewWorkerData {
  readonly role: 'view';
}

/** The start data of the worker that reads long messages. */
export interface ReadWorkerData {
  readonly role: 'read';
  /** JSON, or a request of the remote protocol. */
  readonly format: 'json' | 'remote';
}

/** Whether to poll: always, never, or only where the file system reports no events. */
export type PollChoice = boolean | 'auto';

export type WorkerData =
  | ScanWorkerData
  | IndexWorkerData
  | StateWorkerData
  | WatchWorkerData
  | MatchWorkerData
  | ThumbnailWorkerData
  | PdfWorkerData
  | NoteWorkerData
  | ViewWorkerData
  | ReadWorkerData
  | MeaningWorkerData
  | EmbedWorkerData;

/** The start data of a worker that vaults share: it gets a message for each object that it serves. */
export interface SharedWorkerData {
  readonly role: WorkerData['role'];
  readonly shared: true;
}

const roles: readonly unknown[] = [
  'scan',
  'index',
  'state',
  'watch',
  'match',
  'thumbnail',
  'pdf',
  'note',
  'view',
  'read',
  'meaning',
  'embed',
] satisfies WorkerData['role'][];

/** Whether a thread was started as one of our workers. */
export function isWorkerData(data: unknown): data is WorkerData | SharedWorkerData {
  return typeof data === 'object' && data !== null && 'role' in data && roles.includes(data.role);
}
