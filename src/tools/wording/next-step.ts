import type { VaultError } from '../../base/vault-error.ts';
import type { ToolsetAdvice } from '../define/toolset.ts';

/** What the tools of a toolset are called that lead on after a failure. */
interface NextTools {
  readonly search: string;
  readonly read: string;
  /** Lists notes, also those of a `folder`. */
  readonly list?: string;
  /** Lists folders. */
  readonly folders?: string;
  readonly changes?: string;
  readonly property?: string;
  /** Adds text at the end of a note. */
  readonly append?: string;
  /** Makes a note. */
  readonly create?: string;
  /** Reads the daily note of a `date`. */
  readonly daily?: string;
  /** Lists tasks, also by their dates. */
  readonly tasks?: string;
}

type Next = (name: keyof NextTools) => string | undefined;

/** Sentences that say which tool of a toolset, or which argument, leads on after a failure. */
export function nextSteps(tools: NextTools): ToolsetAdvice {
  return (failure, { existing = 'name', takes, may }) => {
    const next: Next = (name) => {
      const tool = tools[name]?.split(' ')[0];
      return tool !== undefined && may(tool) ? tools[name] : undefined;
    };
    switch (failure.code) {
      case 'not_found':
        return afterNotFound(failure, { existing, adds: takes('text') }, next);
      case 'ambiguous':
        return afterAmbiguous(failure, existing);
      case 'already_exists':
        return takes('new_name') ? 'Give it as "new_name".' : undefined;
      case 'outside_vault':
        return correct([existing, 'new_name', 'folder'].filter(takes));
      case 'conflict':
        return says('path' in failure.details && next('read'), (read) => `${read} reads it.`);
      case 'not_a_folder':
        return says(next('read'), (read) => `Use ${read} for a file.`);
      case 'invalid_input':
        return afterInvalid(failure, next);
      default:
        return undefined;
    }
  };
}

function afterNotFound(
  { details }: VaultError,
  { existing, adds }: { readonly existing: string; readonly adds: boolean },
  next: Next,
): string | undefined {
  const { name, candidates, folder, date, section, missing } = details;
  const isNear = Array.isArray(candidates) && candidates.length > 0;
  if (section !== undefined) {
    if (isNear) return 'Give one of these as "section".';
    const reads = says(next('read'), (read) => `${read} shows it`);
    return says(next('append'), (append) => `${reads}; ${append} can add one.`) ?? `${reads}.`;
  }
  if (missing === 'folder') {
    const isListed = says(next('folders'), (folders) => `${folders} lists them.`);
    return isListed ?? says(next('list'), (list) => `Leave out "folder", or see ${list}.`);
  }
  if (missing === 'template') return isNear ? 'Give one as "template".' : undefined;
  if (missing === 'text') return says(next('read'), (read) => `${read} shows it.`);
  if (missing === 'body text') return says(next('property'), (set) => `${set} does that.`);
  if (missing === 'matching change') return says(next('changes'), (list) => `${list} lists them.`);
  if (missing === 'change') return says(next('changes'), (list) => `${list} does that.`);
  if (name === undefined) return undefined;
  const steps = [
    says(date !== undefined && next('daily'), (daily) => `Use ${daily} with date "${date}".`),
    says(folder !== undefined && next('list'), (list) => `${list} lists it with "folder".`),
    says(next('search'), (search) => {
      if (isNear && 'vaults' in details) return `Give the path as "${existing}", and "vault".`;
      if (isNear) return `Give one as "${existing}", or use ${search}.`;
      if (folder !== undefined || date !== undefined) return undefined;
      const list = next('list');
      return list === undefined ? `${search} does that.` : `${search} and ${list} do that.`;
    }),
    says(adds && !isNear && next('create'), (create) => `${create} makes a new note.`),
  ];
  return steps.filter((step) => step !== undefined).join(' ') || undefined;
}

function correct(names: readonly string[]): string | undefined {
  const quoted = names.map((name) => `"${name}"`);
  return names.length === 0 ? undefined : `Correct ${quoted.join(' or ')}.`;
}

function afterAmbiguous({ details }: VaultError, existing: string): string | undefined {
  if ('section' in details) return 'Give it as "section".';
  if (details['missing'] === 'template') return 'Give it as "template".';
  if ('vaults' in details) return undefined; // It says to name the vault.
  if ('name' in details) return `Give the path as "${existing}".`;
  return undefined;
}

/** The dates of tasks, which models search for as if they were operators of a search. */
const taskDates: ReadonlySet<unknown> = new Set(['due', 'scheduled', 'start', 'starts', 'done']);

function afterInvalid({ details }: VaultError, next: Next): string | undefined {
  const { operator, block } = details;
  if (block === 'properties') return says(next('property'), (set) => `${set} does that.`);
  if (!taskDates.has(operator)) return undefined;
  const date = String(operator).replace(/s$/, '');
  return says(next('tasks'), (tasks) => `For tasks use ${tasks} with "${date}".`);
}

/** A sentence about a tool; undefined without the tool. */
function says(
  tool: string | undefined | false,
  sentence: (tool: string) => string | undefined,
): string | undefined {
  return tool === undefined || tool === false ? undefined : sentence(tool);
}
