import type { VaultPath } from '../../base/vault-path.ts';
import type { View } from './view.ts';

/** Turns texts into vectors: those of texts that mean the same lie close together. */
export interface Embedder {
  /** Names the model. Vectors of another model are of no use. */
  readonly model: string;
  /**
   * One vector for each text, all of one length, in finite numbers and none of them zero throughout.
   * Fails with `too_large` where the texts themselves are refused, `cancelled`, and with `unavailable`
   * for everything else: whoever asks tries again later.
   */
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal; readonly timeMs: number },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** A piece of a note that has a vector of its own. */
interface EmbeddedPassage {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Of its text. */
  readonly hash: string;
  /** Absent where the store has one for this note and hash. */
  readonly vector?: Float32Array;
}

export interface EmbeddedNote {
  readonly path: VaultPath;
  /** Says whether the note is still the same. */
  readonly stamp: string;
  readonly passages: readonly EmbeddedPassage[];
}

/** A note whose meaning is near, and where in it. */
interface Neighbour {
  readonly path: VaultPath;
  readonly line: number;
  /** The cosine of the angle between the vectors: 1 for the same text. */
  readonly near: number;
}

export interface Neighbours {
  /** Nearest first, each note once. */
  readonly notes: readonly Neighbour[];
  /** How many notes were compared: those of the view. */
  readonly among: number;
  /** How near these are on average, and how much that varies. */
  readonly mean: number;
  readonly deviation: number;
}

/**
 * The vectors of a vault for one model. A cache, which several processes share. It lives in a thread,
 * and has all vectors in memory, one byte for each number.
 */
export interface MeaningStore {
  /**
   * Takes the right to fill the store, if no process has it; it ends with the process. Vectors of
   * another model are thrown away then.
   */
  tryLease(): Promise<boolean>;
  /** All notes that the store has, with their stamps. */
  notes(): Promise<readonly (readonly [path: VaultPath, stamp: string])[]>;
  /** The hashes of the passages for which the store has vectors, for each of these notes. */
  hashes(paths: readonly VaultPath[]): Promise<readonly (readonly string[])[]>;
  /** Stores notes in place of what there was of them. Fails with `conflict` for vectors of another length. */
  put(notes: readonly EmbeddedNote[]): Promise<void>;
  forget(paths: readonly VaultPath[]): Promise<void>;
  /** Forgets everything: the model has vectors of another length now. */
  clear(): Promise<void>;
  /**
   * The notes nearest to a vector, of those that the view admits. Fails with `conflict` for a vector of
   * another length, and while the store has vectors of another model.
   */
  nearest(view: View, vector: Float32Array, limit: number): Promise<Neighbours>;
  /** The notes nearest to a note, without itself. Fails with `conflict` as `nearest` does. */
  nearNote(view: View, path: VaultPath, limit: number): Promise<Neighbours>;
  close(): Promise<void>;
}
