import type { Connection } from './connection.ts';
import { isBusy } from './database-error.ts';

/** With fewer files to come than this, nothing is built. */
const builtFiles = 1_024;

/**
 * How the parts of the full text are merged; `crisis` is how many of one size are let come up until
 * all of them are merged at once.
 */
const merges = {
  /** Rarely and much at a time: a fifth less work where everything is stored anew. */
  build: { automerge: 16, crisismerge: 16 },
  /**
   * Little by little with each write. Merged as above, a vault of 100,000 notes stood still for
   * six seconds at every 160th write: all that was ever stored was written anew.
   */
  keep: { automerge: 8, crisismerge: 64 },
} as const;

/** Chooses how full text is merged from now on, by how many files have none yet. */
export function chooseMerges(connection: Connection, lacking: number): void {
  if (lacking > 0 && lacking < builtFiles) return;
  const wanted = Object.entries(lacking === 0 ? merges.keep : merges.build);
  const set = 'SELECT v AS n FROM fulltext_config WHERE k = ?';
  if (wanted.every(([name, value]) => connection.count(set, name) === value)) return;
  try {
    connection.write(() => {
      for (const [name, value] of wanted) {
        connection.run('INSERT INTO fulltext (fulltext, rank) VALUES (?, ?)', name, value);
      }
    });
  } catch (error) {
    if (!isBusy(error)) throw error; // Whoever asks next chooses.
  }
}
