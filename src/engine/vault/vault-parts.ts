import type { VaultPath } from '../../base/vault-path.ts';
import type { QueryRunner } from '../dataview/query-runner.ts';
import type { DocumentTexts } from '../index/document-texts.ts';
import type { IndexKeeper } from '../index/index-keeper.ts';
import type { MeaningKeeper } from '../meaning/meaning-keeper.ts';
import type { IndexStore } from '../ports/index-store.ts';
import type { LineSearch } from '../ports/line-search.ts';
import type { NoteWorker } from '../ports/note-work.ts';
import type { ObsidianApp } from '../ports/obsidian-app.ts';
import type {
  AttachFolder,
  Base64,
  Clock,
  Hash,
  Random,
  Scanner,
  SystemTrash,
  Timers,
  WritableDisk,
} from '../ports/ports.ts';
import type { Proposals } from '../ports/proposals.ts';
import type { Publisher } from '../ports/publisher.ts';
import type { OwnerNotice, Questions } from '../ports/questions.ts';
import type { RawDisk } from '../ports/raw-disk.ts';
import type { ReadLog } from '../ports/read-log.ts';
import type { ChangeId, CommitLock, StateStore } from '../ports/state-store.ts';
import type { TextMatcher } from '../ports/text-matcher.ts';
import type { Thumbnails } from '../ports/thumbnails.ts';
import type { DayTotals } from '../ports/vault-state.ts';
import type { VaultSync } from '../ports/vault-sync.ts';
import type { SharedWatcher } from '../watch/shared-watcher.ts';

/** What an open vault is made of: implementations of the ports, and the keeper of its index. */
export interface VaultParts {
  readonly name: string;
  /** Where the vault is, for people to read. */
  readonly location: string;
  readonly disk: WritableDisk;
  readonly scanner: Scanner;
  readonly keeper: IndexKeeper;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Lets everything else that waits on this thread run first. Keeps the process alive. */
  readonly turn: () => Promise<void>;
  readonly hash: Hash;
  readonly random: Random;
  /** Journal and history; its database is opened at the first call. */
  readonly state: StateStore;
  readonly lock: CommitLock;
  /** What waits for the owner: questions and proposed changes. Kept beside the history. */
  readonly questions: Questions;
  readonly proposals: Proposals;
  /** The size of the vault, day by day. */
  readonly dayTotals: DayTotals;
  /** Tells the owner that something waits; absent where no way to do that is set up. */
  readonly notice?: OwnerNotice;
  /** Which files clients have read; absent where that is not kept. Closed with the vault. */
  readonly reads?: ReadLog;
  readonly base64: Base64;
  /** The disk for the raw file tools; absent where those are not served. */
  readonly files?: RawDisk;
  /** Closed together with the vault; absent in one-shot commands. */
  readonly watcher?: SharedWatcher;
  /** The folder from which clients may add attachments; absent where the owner has named none. */
  readonly attachFrom?: AttachFolder;
  /** Absent where thumbnails cannot be made. */
  readonly thumbnails?: Thumbnails;
  /** Reads the text of PDFs into the index; absent where that is not done. */
  readonly documents?: DocumentTexts;
  /** Finds notes by what they mean; absent where the owner has named no model. */
  readonly meaning?: MeaningKeeper;
  /** Absent where the platform has no trash that we know. */
  readonly trash?: SystemTrash;
  /** The Obsidian app, for what only it can do; absent where it cannot be reached at all. */
  readonly app?: ObsidianApp;
  /**
   * Reads texts for searches that the index alone cannot answer; absent only in some tests.
   */
  readonly matcher?: TextMatcher;
  /** Works on large notes in other threads; absent only in some tests, where it is done here. */
  readonly worker?: NoteWorker;
  /** Evaluates bases in other threads; absent only in some tests, where it is done here. */
  readonly queries?: QueryRunner;
  /** Searches line by line (ripgrep); absent only in some tests. */
  readonly lines?: LineSearch;
  /** Absent where no synchronisation is set up. */
  readonly sync?: VaultSync;
  /** Absent where publishing is not set up. */
  readonly publisher?: Publisher;
  /** `limits.vaultSleepMs`, unless something else is given. */
  readonly sleepMs?: number;
  /** Whether a folder around the vault is a vault itself: its notes may link into this one. */
  readonly outerVault?: boolean;
  /** Called with a sentence for the owner when something in the vault's own settings has no effect. */
  readonly onProblem?: (problem: string) => void;
  /** Called when a change whose process had died was finished or taken back. */
  readonly onRecovered?: (recovered: Recovered) => void;
  /** Called when a change finds that another machine has taken the vault over. */
  readonly onFenced?: () => void;
  /**
   * Opens the vault's index once more, so that reading all of it does not hold up other questions;
   * absent where only one can be open. The caller closes it.
   */
  readonly openIndexAgain?: () => Promise<IndexStore>;
  /** Opens an empty index in memory, which `check` builds to compare with the real one. */
  readonly openScratchIndex: () => Promise<IndexStore>;
}

/** How a change ended whose process died, or that could not be finished on this disk. */
export interface Recovered {
  readonly id: ChangeId;
  readonly tool: string;
  readonly outcome: 'finished' | 'undone';
  /** Files that someone else has changed in the meantime; they were left as they are. */
  readonly kept: readonly VaultPath[];
  /** The paths that may have changed on disk. */
  readonly paths: readonly VaultPath[];
}
