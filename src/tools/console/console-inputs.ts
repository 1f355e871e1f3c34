import { z } from 'zod';
import { shownBaseLimits } from '../../base/engine-limits.ts';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';

// The arguments of the console's tools. Numbers are also taken as text, as addresses have them.

const count = (max: number, standard: number) =>
  z.coerce.number().int().min(0).max(max).default(standard).describe('At most this many.');
const Ms = z.coerce.number().min(0).exactOptional();
const Id = z.coerce.number().int().min(1);
const Path = z.string().min(1).max(limits.pathBytesMax);
const Offset = z.coerce.number().int().min(0).default(0).describe('Skip this many.');
const DryRun = z.boolean().default(false).describe('Change nothing: say what would change.');
const Folder = z
  .string()
  .default('')
  .transform((folder) => vaultFolder(folder)) // A `VaultError` that it throws reaches the caller unchanged.
  .describe('Only what is in this folder.');

const page = (standard: number) => ({ limit: count(limits.resultsMax, standard), offset: Offset });
/** A file by its exact path. */
const file = { path: Path.describe('The exact path of the file.') };

const kindsOfDeeds = z.array(z.enum(['created', 'changed', 'moved', 'deleted']));
/** The same as text with commas, as the page writes it in an address. A list becomes such a text, too. */
const Kinds = z.preprocess((value) => String(value).split(','), kindsOfDeeds);

/** Which changes; see `WhichFeed`. */
const feed = {
  client: z.string().min(1).exactOptional().describe('The name of a client, without its version.'),
  door: z
    .enum(['cli', 'mcp-stdio', 'mcp-http', 'bridge', 'remote', 'console'])
    .exactOptional()
    .describe('Only changes through this door.'),
  session: z.string().min(1).exactOptional().describe('The connection that made them.'),
  path: Path.exactOptional().describe('A file, or a folder with everything in it.'),
  since: Ms.describe('Only changes then or later, in milliseconds.'),
  until: Ms.describe('Only changes before then, in milliseconds.'),
  before: Id.exactOptional().describe('Only changes with a lower number: for the next page.'),
};

export const inputs = {
  changes: z.object({
    ...feed,
    kinds: Kinds.exactOptional().describe('Only changes that did one of these to a file.'),
    undone: z
      .enum(['hide', 'only'])
      .exactOptional()
      .describe('Without undone changes, or only those.'),
    limit: count(limits.feedChangesMax, 100),
  }),
  change: z.object({
    id: Id.describe('The number of the change.'),
    paths: z.array(Path).exactOptional().describe('Only the texts of these files of the change.'),
  }),
  sessions: z.object({ ...feed, limit: count(limits.feedChangesMax, 50), offset: Offset }),
  undo: z.object({
    ids: z.array(Id).exactOptional().describe('The numbers of the changes.'),
    paths: z
      .array(Path)
      .exactOptional()
      .describe('With numbers: only these files, by the paths that the changes name.'),
    session: z.string().min(1).exactOptional().describe('All changes of this connection.'),
    dryRun: DryRun,
  }),
  redo: z.object({ id: Id.describe('The number of the undo.'), dryRun: DryRun }),
  counts: z.object({
    days: z.coerce.number().int().min(1).max(limits.countedDaysMax).default(90),
  }),
  search: z.object({
    query: z.string().min(1).describe('What to look for; docs/search.md explains it.'),
    folder: Folder,
    limit: count(limits.searchResultsMax, 20),
    offset: Offset,
  }),
  file: z.object(file),
  base: z.object({
    path: Path.describe('The exact path of the base, or of the note in which a block stands.'),
    block: z
      .string()
      .max(shownBaseLimits.textCharsMax)
      .exactOptional()
      .describe('The text of the `base` block.'),
    this: Path.exactOptional().describe('The exact path of the note that embeds the base.'),
    view: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The name of a view; the first one if absent.'),
    limit: count(shownBaseLimits.rowsMax, 50),
  }),
  files: z.object({
    folder: Folder,
    sort: z.enum(['path', 'modified']).default('path'),
    ...page(200),
  }),
  backlinks: z.object({ ...file, limit: count(limits.resultsMax, 100) }),
  neighbors: z.object({
    ...file,
    depth: z.coerce.number().int().min(1).max(limits.graphDepthMax).default(1),
    limit: count(limits.graphNodesMax, 60),
  }),
  version: z.object({ ...file, version: Id.describe('Counted from the newest, which is 1.') }),
  diff_versions: z.object({
    ...file,
    from: Id,
    to: Id.exactOptional().describe('The file as it is now when absent.'),
  }),
  restore_version: z.object({ ...file, version: Id, dryRun: DryRun }),
  tagged: z.object({ tag: z.string().min(1), ...page(200) }),
  folder: z.object({ folder: Folder, ...page(1_000) }),
  page: z.object(page(1_000)),
  problems: z.object({ limit: count(limits.problemRowsMax, 50), offset: Offset }),
  totals: z.object({
    days: z.coerce.number().int().min(1).max(limits.totalDaysMax).default(366),
  }),
  none: z.object({}),
  merge_conflict: z.object({
    ...file,
    choose: z.string().min(1).exactOptional().describe('original, copy, both, or "1=copy,2=both".'),
    token: z.string().min(1).exactOptional().describe('That of the conflict as it was shown.'),
    dryRun: DryRun,
  }),
  graph: z.object({
    folder: Folder,
    tag: z.string().min(1).exactOptional(),
    limit: count(limits.graphNotesMax, limits.graphNotesMax),
  }),
};
