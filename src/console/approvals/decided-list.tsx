import type { ProposalRow, QuestionRow } from '../../doors/console/console-wire.ts';
import { plannedSentence } from '../../tools/wording/change-sentences.ts';
import { describeChange, noteName } from '../../tools/wording/describe-change.ts';
import { addressOf } from '../page/place.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { PartHeading } from '../parts/top-bar.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { approvalStrings } from '../words/approval-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { dayAndTime } from '../words/times.ts';

/** What the owner has decided, the newest first. */
export function DecidedList({
  questions,
  proposals,
}: {
  readonly questions: readonly QuestionRow[];
  readonly proposals: readonly ProposalRow[];
}) {
  const rows = [
    ...questions.map((row) => ({ row, timeMs: row.answer?.timeMs ?? row.timeMs })),
    ...proposals.map((row) => ({ row, timeMs: row.decidedMs ?? row.timeMs })),
  ].sort((a, b) => b.timeMs - a.timeMs);
  if (rows.length === 0) return null;
  const nowMs = Date.now();
  return (
    <>
      <PartHeading title={approvalStrings.decided} />
      <ul class="list decided">
        {rows.map(({ row, timeMs }) => (
          <li key={row.id}>
            <Avatar client={shownClient(row.asker.door, row.asker.client)} isSmall />
            <span class="grow">
              {'text' in row ? <QuestionText row={row} /> : <ProposalText row={row} />}
              {reasonOf(row) === undefined ? undefined : <small> “{reasonOf(row)}”</small>}
            </span>
            <Outcome row={row} />
            <small>{dayAndTime(timeMs, { nowMs })}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a question was about: the first file, and how many more. */
function QuestionText({ row: { text, paths, files, overwrites } }: { readonly row: QuestionRow }) {
  const [first] = paths;
  if (first === undefined) return <>{text}</>;
  const isMixed =
    overwrites === undefined || (overwrites.length > 0 && overwrites.length < paths.length);
  const did = isMixed ? 'either' : overwrites.length === 0 ? 'deleted' : 'overwritten';
  return (
    <>
      {approvalStrings.decidedQuestion[did]}
      <bdi>
        <VisibleText text={noteName(first)} />
      </bdi>
      {files > 1 ? ` ${approvalStrings.andFiles(files - 1)}` : ''}
    </>
  );
}

function ProposalText({ row: { tool, args, files, change } }: { readonly row: ProposalRow }) {
  const { sentence } = describeChange({ tool, args, files });
  const text = <Sentence pieces={change === undefined ? plannedSentence(sentence) : sentence} />;
  if (change === undefined) return text;
  return <a href={addressOf({ screen: 'activity', filter: {}, change })}>{text}</a>;
}

function reasonOf(row: QuestionRow | ProposalRow): string | undefined {
  return 'text' in row ? row.answer?.reason : row.reason;
}

function Outcome({ row }: { readonly row: QuestionRow | ProposalRow }) {
  if ('text' in row) {
    const says = row.answer?.says;
    if (says === undefined) return <span class="pill">{approvalStrings.closed}</span>;
    return (
      <span class={says === 'deny' ? 'pill bad' : 'pill good'}>{approvalStrings.says[says]}</span>
    );
  }
  return (
    <span class={row.state === 'refused' ? 'pill bad' : 'pill good'}>
      {approvalStrings.states[row.state]}
    </span>
  );
}
