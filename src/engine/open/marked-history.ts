import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { ChangeStep, StateStore, StoredChange } from '../ports/state-store.ts';
import { hiddenPath } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

/**
 * The history as a caller may know it from whom marks hide notes. A step that found or left a note
 * with a mark names no file of the vault any more (`hiddenPath`), so that it counts as one that the
 * caller does not see. Which notes have a mark now is not asked here: their paths are not seen.
 */
export class MarkedHistory implements Pick<StateStore, 'changes'> {
  readonly #vault: BoundVault;
  /** For each version that was judged, whether it has a mark; shared with other calls. */
  readonly #versions: Map<string, boolean>;
  /** For each path that was looked at, whether a note without marks is there now. */
  readonly #there = new Map<VaultPath, Promise<boolean>>();

  constructor(vault: BoundVault, versions: Map<string, boolean>) {
    this.#vault = vault;
    this.#versions = versions;
  }

  async changes(...asked: Parameters<StateStore['changes']>): ReturnType<StateStore['changes']> {
    // Which notes may be named is known when the index has looked at all of them.
    await this.#vault.ask('facts', async () => undefined);
    const { total, items } = await this.#vault.vault.parts.state.changes(...asked);
    const shown: StoredChange[] = [];
    for (const change of items) shown.push(await this.#shown(change));
    return { total, items: shown };
  }

  async #shown(change: StoredChange): Promise<StoredChange> {
    const hidden = new Set<string>();
    const steps: ChangeStep[] = [];
    for (const step of change.steps) {
      const isShown = await this.#isShown(step);
      if (!isShown) hidden.add(step.path);
      steps.push(isShown ? step : withoutPaths(step));
    }
    if (hidden.size === 0) return change;
    return { ...change, steps, kept: change.kept.filter((path) => !hidden.has(path)) };
  }

  async #isShown(step: ChangeStep): Promise<boolean> {
    const found = contentsOf(step);
    if (found === undefined) return true;
    const { versions, places } = found;
    if (!places.some((path) => fileKind(path) === 'note')) return true;
    const judged = await Promise.all(versions.map((version) => this.#isMarked(version)));
    if (judged.includes(true)) return false;
    if (judged.length > 0 && !judged.includes(undefined)) return true;
    // History does not have the content: then the note itself has to be there, without a mark.
    const there = await Promise.all(places.map((path) => this.#isThere(path)));
    return there.includes(true);
  }

  /** Whether a version has a mark; undefined when history does not keep it. */
  async #isMarked(version: Version | 'unkept' | undefined): Promise<boolean | undefined> {
    if (version === undefined || version === 'unkept') return undefined;
    const known = this.#versions.get(version);
    if (known !== undefined) return known;
    const bytes = await this.#vault.vault.parts.state.content(version);
    if (bytes === undefined) return undefined;
    const isMarked = await this.#vault.isMarked(aNote, bytes);
    this.#versions.set(version, isMarked);
    return isMarked;
  }

  #isThere(path: VaultPath): Promise<boolean> {
    const known =
      this.#there.get(path) ??
      this.#vault.stat(path).then(
        (stat) => stat !== undefined,
        () => false,
      );
    this.#there.set(path, known);
    return known;
  }
}

/** A content is judged as that of a note, whatever path it has now. */
const aNote = 'note.md' as VaultPath;

/** The versions of a file that a step is about, and where it was or is; undefined for folders. */
function contentsOf(step: ChangeStep) {
  switch (step.do) {
    case 'write': {
      const places = step.from === undefined ? [step.path] : [step.path, step.from];
      const versions = step.before === undefined ? [step.after] : [step.before, step.after];
      return { versions, places };
    }
    case 'append':
    case 'cut':
      return { versions: [], places: [step.path] };
    case 'delete':
      return { versions: [step.before], places: [step.path] };
    case 'move':
      return {
        versions: step.over === undefined ? [step.version] : [step.version, step.over],
        places: [step.path, step.to],
      };
    default:
      return undefined;
  }
}

/** The same step without the names of its files. */
function withoutPaths(step: ChangeStep): ChangeStep {
  if (step.do === 'move') return { ...step, path: hiddenPath, to: hiddenPath };
  if (step.do !== 'write') return { ...step, path: hiddenPath };
  const { from: _, ...written } = step;
  return { ...written, path: hiddenPath };
}
