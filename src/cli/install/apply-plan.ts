import { unifiedDiff } from '../../engine/text/unified-diff.ts';
import { diffText } from '../../tools/cli/change-text.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import type { Shell } from '../shell/shell.ts';
import { askAt, paintFor } from '../shell/terminal.ts';
import { type Backup, dropBackups, type LeftBackup } from './backups.ts';
import type { Client } from './client-places.ts';
import { type ConfigFile, removeConfigFile, replaceConfigFile } from './config-file.ts';
import { hideValues } from './hide-values.ts';
import type { InstallOptions } from './install-options.ts';
import { type ConfigPlan, correctedTexts, type PlannedEntry, typedWords } from './plan-install.ts';
import { whyBackupNeeded } from './plan-uninstall.ts';

/** A configuration file and the plan for it. */
export interface PlannedFile {
  readonly file: ConfigFile;
  readonly plan: ConfigPlan;
}

interface FileReport {
  readonly file: string;
  readonly entries: readonly PlannedEntry[];
  readonly diff: string;
  readonly backup?: string;
  /** The backups that are left after entries were removed. */
  readonly left?: readonly LeftBackup[];
}

/**
 * Shows the planned changes and writes them: with `--write` at once; without `--write` and
 * `--dry-run`, at a terminal, after the person has agreed; otherwise not at all. Answers the exit code.
 */
export async function applyPlan(
  shell: Shell,
  {
    client,
    files,
    options,
    warnings,
    next,
  }: {
    readonly client: Client;
    readonly files: readonly PlannedFile[];
    readonly options: InstallOptions;
    readonly warnings: readonly string[];
    /** What the user has to do after the files are written. */
    readonly next: string;
  },
): Promise<number> {
  const { stdout } = shell;
  const paint = paintFor(stdout, shell.env);
  const changed = files.filter(isChange);
  const print = (parts: readonly string[]): void => {
    if (!options.json) stdout.write(lines(parts));
  };
  const ask =
    options.json || !stdout.isTTY ? undefined : askAt(shell.stdin, shell.stderr, shell.signal);
  const asks = options.mode === undefined && ask !== undefined;

  if (!options.json) {
    const diffs = changed.map((planned) => planDiff(planned, client));
    for (const diff of diffs) stdout.write(diffText(diff, paint));
    if (diffs.some((diff) => diff.includes('…'))) {
      print([
        '("…" stands for a value that is not shown. Lines without + and - stay as they are.)',
      ]);
    }
    print(changed.flatMap(({ plan }) => correctedTexts(plan).map(plain)));
  }
  const agreed =
    changed.length > 0 &&
    (options.mode === 'write' || (asks && (await ask(`Write ${named(changed)}?`, 'yes'))));

  const reports: FileReport[] = [];
  for (const planned of files) {
    const { file, plan } = planned;
    const isWritten = agreed && changed.includes(planned);
    const replaced = isWritten ? await writePlan(planned) : {};
    const diff = planDiff(planned, client);
    reports.push({ file: file.path, entries: plan.entries, diff, ...replaced });
    if (isWritten || !changed.includes(planned)) {
      print(plan.entries.map((entry) => `${paint.good(entry.did)} ${entryText(entry, file.path)}`));
    }
    const isLeft = !isWritten && changed.includes(planned);
    print(plan.entries.flatMap((entry) => optionsText(entry, isLeft)));
    if (isLeft) continue; // Its diff was shown above.
    if (plan.entries.length === 0) print([`nothing to remove from ${plain(file.path)}`]);
    if (replaced.backup !== undefined) {
      print([`backup of the old file: ${plain(replaced.backup)}`]);
    }
    if (replaced.left !== undefined) print(leftTexts(replaced.left));
  }
  if (options.json) {
    stdout.write(
      `${JSON.stringify({ written: agreed, files: reports, warnings }, undefined, 2)}\n`,
    );
    return 0;
  }
  print(warnings.map((warning) => `${paint.bad('!')} ${plain(warning)}`));
  if (agreed) print([next]);
  else if (changed.length > 0)
    print([
      asks
        ? 'Nothing was written.'
        : 'Nothing was written: this was a dry run. Add --yes to write it.',
    ]);
  return 0;
}

/** Whether the plan changes the file. */
export function isChange({ file, plan }: PlannedFile): boolean {
  return plan.text !== (file.text ?? '') || plan.removesFile === true;
}

/**
 * Does what the plan says, and answers where the old file is kept. Fails with `conflict` when the file
 * has changed since it was read. After any failure the file is as it was. After entries of ours are
 * removed, backups go that are no longer needed; `left` has those that stay.
 */
export async function writePlan({
  file,
  plan,
}: PlannedFile): Promise<{ backup?: string; left?: readonly LeftBackup[] }> {
  let kept: Backup = {};
  if (plan.removesFile === true) await removeConfigFile(file);
  else kept = await replaceConfigFile(file, plan.text);
  const { backup, isFresh = false } = kept;
  if (!plan.entries.some(({ did }) => did === 'removed'))
    return backup === undefined ? {} : { backup };
  const text = plan.removesFile === true ? undefined : plan.text;
  const { section } = plan;
  if (section === undefined) return { left: await dropBackups(file, text) };
  const left = await dropBackups(file, text, (old, { path, isFirst }) =>
    whyBackupNeeded(
      { text: old, isBeforeUs: isFirst && !(isFresh && path === backup) },
      { file: file.path, section, text },
    ),
  );
  return { left };
}

/** The sentences about the backups that are left after our entries were removed, one for each reason. */
export function leftTexts(left: readonly LeftBackup[]): readonly string[] {
  if (left.length === 0) return ['No backup is left: it is not needed any more.'];
  return Array.from(new Set(left.map(({ why }) => why)), (why) => {
    const paths = left.filter((each) => each.why === why).map(({ path }) => plain(path));
    return `Left, because ${plain(why)}: ${paths.join(', ')} (delete it if you do not need it)`;
  });
}

/** The change as a unified diff, without the values of other servers. */
export function planDiff(
  { file, plan }: PlannedFile,
  { section }: Pick<Client, 'section'>,
): string {
  const path = file.path.replace(/^\/+/, '');
  return unifiedDiff({
    ...(file.text === undefined ? {} : { from: path }),
    ...(plan.removesFile ? {} : { to: path }),
    before: hideValues(file.text ?? '', section),
    after: hideValues(plan.text, section),
  });
}

function entryText({ name, vault }: PlannedEntry, file: string): string {
  const about = vault === undefined ? '' : ` for ${plain(vault)}`;
  return `"${plain(name)}"${about} in ${plain(file)}`;
}

/**
 * What an app may do is said by the options of its entry, so they are shown, and those that go. With
 * `isLeft`, nothing was written.
 */
function optionsText(
  { options = [], gone = [] }: PlannedEntry,
  isLeft: boolean,
): readonly string[] {
  const typed = (words: readonly string[]): string => plain(typedWords(words));
  return [
    ...(options.length > 0
      ? [`  ${isLeft ? 'its options would be' : 'its options'}: ${typed(options)}`]
      : []),
    ...(gone.length > 0
      ? [`  ${isLeft ? 'no longer there would be' : 'no longer'}: ${typed(gone)}`]
      : []),
  ];
}

function named(files: readonly PlannedFile[]): string {
  return files.map(({ file }) => plain(file.path)).join(' and ');
}
