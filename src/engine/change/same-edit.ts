import type { PlannedFile, ProposedPlan } from '../ports/proposals.ts';

/**
 * Whether a plan is the one that was shown, made on what other changes have left meanwhile: it adds
 * and removes the same lines in the same files, and between the versions that it was shown for and
 * those of now there is nothing but what `made` has done.
 */
export function isSameEdit(
  shown: ProposedPlan,
  now: ProposedPlan,
  made: readonly PlannedFile[],
): boolean {
  return (
    made.length > 0 &&
    comesAfter(shown.basis, now.basis, made) &&
    changedLines(shown.diff) === changedLines(now.diff) &&
    // The diff does not show what is in these files.
    !/^Binary files /m.test(now.diff)
  );
}

function comesAfter(
  shown: readonly PlannedFile[],
  now: readonly PlannedFile[],
  made: readonly PlannedFile[],
): boolean {
  if (shown.length !== now.length) return false;
  const others = new Map(shown.map((file) => [nameOf(file), file]));
  if (others.size !== now.length) return false;
  const writtenIn = { shown: writes(shown), now: writes(now) };
  const next = new Map(made.map(({ path, before, after }) => [`${before} ${path}`, after]));
  return now.every((file) => {
    const other = others.get(nameOf(file));
    if (other === undefined) return false;
    const [from, to] = [startOf(other, writtenIn.shown), startOf(file, writtenIn.now)];
    if (from === to) return other.before === file.before && other.after === file.after;
    return isReached(`${from}`, { path: file.path, to: `${to}`, next });
  });
}

/** Whether changes lead from one version of a file to another. Each of them is used only once. */
function isReached(
  from: string,
  { path, to, next }: { path: string; to: string; next: ReadonlyMap<string, string | undefined> },
): boolean {
  const seen = new Set<string>();
  let at: string | undefined = from;
  while (at !== undefined && at !== to && !seen.has(at)) {
    seen.add(at);
    at = next.get(`${at} ${path}`);
  }
  return at === to;
}

/** What a plan does to a file, apart from versions of notes. */
function nameOf({ path, after, to, folder, found, over }: PlannedFile): string {
  return JSON.stringify([path, after === undefined, to, folder, found, over]);
}

/** The files that a plan writes, by path. */
function writes(basis: readonly PlannedFile[]): ReadonlyMap<string, PlannedFile> {
  return new Map(basis.filter(({ after }) => after !== undefined).map((file) => [file.path, file]));
}

/** The version of a file before the plan: a file that is moved may be written before. */
function startOf(file: PlannedFile, written: ReadonlyMap<string, PlannedFile>) {
  return (file.after === undefined ? (written.get(file.path) ?? file) : file).before;
}

/**
 * The lines of a diff that are added or removed, with the names of the files. A last line that only
 * gets its line end does not count as one: the change before may have given it.
 */
function changedLines(diff: string): string {
  return diff
    .replace(/^-(.*)\n\\ No newline at end of file\n\+\1$/gm, '')
    .split('\n')
    .filter((line) => line !== '' && !/^( |@@|\\)/.test(line))
    .join('\n');
}
