import type { TextRange } from '../../base/text-range.ts';
import type {
  Block,
  BlockId,
  Callout,
  FootnoteDefinition,
  FootnoteReference,
  Heading,
  Link,
  ListItem,
  Problem,
  Tag,
} from './facts.ts';

/** Collects what the scanners find: one array for each kind of fact (see `NoteFacts`). */
export interface FactSink {
  readonly headings: Heading[];
  readonly blocks: Block[];
  readonly blockIds: BlockId[];
  readonly listItems: ListItem[];
  readonly links: Link[];
  readonly tags: Tag[];
  readonly callouts: Callout[];
  readonly footnotes: FootnoteDefinition[];
  readonly footnoteReferences: FootnoteReference[];
  readonly comments: TextRange[];
  readonly code: TextRange[];
  readonly problems: Problem[];
}

/** An empty sink. */
export function factSink(): FactSink {
  return {
    headings: [],
    blocks: [],
    blockIds: [],
    listItems: [],
    links: [],
    tags: [],
    callouts: [],
    footnotes: [],
    footnoteReferences: [],
    comments: [],
    code: [],
    problems: [],
  };
}

/** Reports, once per note, that it nests deeper than the scanner follows. */
export function reportTooDeep(sink: FactSink, range: TextRange): void {
  if (sink.problems.some((problem) => problem.code === 'too_deep')) return;
  const message =
    'Lists, quotes or emphasis are nested too deeply here, so the inner part is read as plain text.';
  sink.problems.push({ code: 'too_deep', message, range });
}
