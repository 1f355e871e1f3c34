import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { shownText } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { ListedProposal } from '../../engine/ports/proposals.ts';
import { firstOf } from '../../tools/cli/change-text.ts';
import { plannedText, whatText } from '../../tools/cli/history.ts';
import { plainDiff } from '../../tools/cli/plain-diff.ts';
import { rowTimes, table } from '../../tools/cli/table.ts';
import { counted, lines } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import type { ShownProposal } from '../../tools/owner/accept-proposal.ts';
import { proposedFiles } from '../../tools/owner/owner-desk.ts';
import { plainPaint } from '../../tools/wording/plain-voice.ts';
import { filesInOrder } from '../../tools/wording/writing-answer.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { type ProposalsOptions, readProposalsOptions } from '../options/proposals-options.ts';
import { print, printJson, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { withClusterBooks } from '../vaults/cluster-access.ts';
import { withTokenName } from '../vaults/token-names.ts';
import { againText, decidedCode, decidedFields, decidedText } from './decided-text.ts';
import { type DeskAtShell, deskHelp, withDesk } from './desk-at.ts';
import {
  appText,
  askerText,
  momentText,
  nextCommand,
  shownLine,
  waitsText,
} from './owner-words.ts';

const help = `Usage: vaultdoor proposals [list] [--all] [--client <name>] [--session <id>]
       vaultdoor proposals show <id>
       vaultdoor proposals accept <id>… | --session <id> | --client <name> | --all
       vaultdoor proposals refuse <id>… | --session <id> | --client <name> | --all

Decide about the changes that apps have proposed which may not make them (--propose of the
serving commands and of "vaultdoor token create"). Nothing of a proposal is in the vault before you
accept it; then the change is made, and "vaultdoor undo" can take it back. If files have changed since
it was shown, it is planned again and shown again, and a second "accept" makes it. "show" prints the id
with the plan it shows, such as p12@3f9a01: that name is accepted only with that plan. A proposal is
kept for seven days. Only you can decide, here: no app can.

  --vault <folder>    The vault; otherwise OBSIDIAN_VAULT_PATH, VAULT_PATH, the vault that the current
                      folder is in, or the only one that is known.
  --session <id>      Those of one connection, which "show" prints.
  --client <name>     Those of the app with this name.
  --all               list: also those that are decided. accept, refuse: all that wait.
  --yes               accept, refuse: do not ask before several are decided that you have not named.
  --reason <text>     refuse: why; the app gets to read it.
  --allow-root <folder>
                      accept: symlinks in the vault may lead into this folder; may be repeated.
${clusterHelp}${deskHelp}  --json              The whole answer as JSON.

Examples:
  vaultdoor proposals
  vaultdoor proposals show p12
  vaultdoor proposals accept p12 p13
  vaultdoor proposals refuse --client cursor --reason 'Not in this vault.'
`;

/** `vaultdoor proposals`: the owner accepts or refuses what clients have proposed. */
export const proposalsProgram: Program = { help, run };

type Asked<Action> = Extract<ProposalsOptions, { readonly action: Action }>;

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withClusterBooks(shell, argv, (cluster, rest) => {
    const options = readProposalsOptions(rest);
    return withDesk(shell, options, cluster, async (at) => {
      switch (options.action) {
        case 'list':
          return list(shell, options, at);
        case 'show':
          return show(shell, options, at);
        case 'accept':
        case 'refuse':
          return decide(shell, options, at);
      }
    });
  });
}

async function list(
  shell: Shell,
  { all, whose, json, vault }: Asked<'list'>,
  { desk, tokens }: DeskAtShell,
): Promise<number> {
  const proposals = await desk.proposals({ open: !all, ...whose });
  if (json) {
    return printJson(shell, { proposals: proposals.map((each) => fieldsOf(each, tokens)) });
  }
  if (proposals.length === 0) {
    return remark(shell, noneText(all, Object.keys(whose).length > 0));
  }
  const [newest] = proposals.filter(({ state }) => state === 'open');
  return print(
    shell,
    lines([
      ...listedText(proposals, tokens, paintFor(shell.stdout, shell.env, vault)),
      ...(newest === undefined ? [] : ['', listHint(newest, vault)]),
    ]),
  );
}

function noneText(all: boolean, isFiltered: boolean): string {
  if (!isFiltered) return all ? 'There are no proposals.' : 'Nothing waits for you.';
  return all ? 'There are no such proposals.' : 'No such proposal waits.';
}

async function show(
  shell: Shell,
  { id, json, vault }: Asked<'show'>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<number> {
  const { proposal, problem } = await desk.look(id, owner);
  if (json)
    return printJson(shell, {
      ...fieldsOf(proposal, tokens),
      shownAs: proposal.shownAs,
      diff: proposal.diff,
      ...(problem === undefined ? {} : { problem }),
    });
  const text = proposalText(proposal, {
    paint: paintFor(shell.stdout, shell.env, vault),
    tokens,
    vault,
    problem,
  });
  return print(shell, text);
}

/** Accepts or refuses, after a question when the proposals were not named. */
async function decide(
  shell: Shell,
  options: Asked<'accept'> | Asked<'refuse'>,
  at: DeskAtShell,
): Promise<number> {
  const { desk, owner } = at;
  const { chosen, json, vault } = options;
  const ids = 'ids' in chosen ? chosen.ids : await confirmed(options, chosen, at);
  const decided =
    options.action === 'accept'
      ? await desk.accept(ids, owner)
      : await desk.refuse(ids, { reason: options.reason }, owner);
  const [only, more] = decided;
  if (more === undefined && only?.outcome === 'failed') throw only.error;
  if (json) {
    printJson(shell, { results: decided.map(decidedFields) });
  } else {
    const paint = paintFor(shell.stdout, shell.env, vault);
    const texts = decided.map((each) => decidedText(each, { paint, vault }));
    print(shell, texts.join('') + againText(decided, vault));
  }
  return decidedCode(options.action, decided);
}

/**
 * The ids of all proposals that are meant, after the owner has seen which they are: a client may have
 * added some since the owner has looked. Fails with `invalid_input` without a terminal to ask on.
 */
async function confirmed(
  { action, vault }: Asked<'accept'> | Asked<'refuse'>,
  { whose, yes }: Extract<Asked<'accept'>['chosen'], { readonly yes: boolean }>,
  { desk, owner, tokens }: DeskAtShell,
): Promise<readonly string[]> {
  const proposals = await desk.proposals({ open: true, ...whose });
  if (proposals.length === 0) {
    throw new VaultError(
      'not_found',
      `No such proposal waits; ${nextCommand('proposals list --all', vault)} shows those that are decided.`,
    );
  }
  if (!yes && !(await agrees(action, { proposals, tokens }, owner))) {
    throw new VaultError('cancelled', 'Nothing was decided.');
  }
  return proposals.map(({ id }) => id);
}

function agrees(
  action: 'accept' | 'refuse',
  { proposals, tokens }: { proposals: readonly ListedProposal[]; tokens: DeskAtShell['tokens'] },
  { ask }: Caller,
): Promise<boolean> {
  const what = counted(proposals.length, 'proposal');
  if (ask === undefined) {
    throw new VaultError(
      'invalid_input',
      `This would ${action} ${what}: --yes does it; or give their ids.`,
      { details: { ids: proposals.map(({ id }) => id) } },
    );
  }
  const rows = listedText(proposals.toReversed(), tokens, plainPaint);
  const verb = action === 'accept' ? 'Accept' : 'Refuse';
  return ask([...rows, `${verb} ${what}?`].join('\n'));
}

/** The proposals as a table. */
function listedText(
  proposals: readonly ListedProposal[],
  tokens: DeskAtShell['tokens'],
  paint: Paint,
): readonly string[] {
  const whats = proposals.map((proposal) => shownLine(proposedText(proposal)));
  const times = rowTimes(
    proposals.map(({ timeMs }, at) => ({ timeMs, text: whats[at] ?? '' })),
    paint,
  );
  return table(
    [
      { title: 'id', whole: true },
      { title: 'proposed', whole: true },
      { title: 'who' },
      { title: 'what' },
      { title: 'state' },
    ],
    proposals.map((proposal, at) => [
      proposal.id,
      times[at] ?? '',
      appText(proposal.asker, tokens),
      whats[at] ?? '',
      stateText(proposal),
    ]),
    paint,
  );
}

/** What a proposal would do; what it did if it was accepted. */
function proposedText(proposal: ListedProposal): string {
  const change = { tool: proposal.tool, args: proposal.args ?? {}, files: proposedFiles(proposal) };
  return proposal.state === 'accepted' ? whatText(change) : plannedText(change);
}

/** A proposal with its files and its diff. */
function proposalText(
  proposal: ShownProposal,
  {
    paint,
    tokens,
    vault,
    problem,
  }: {
    readonly paint: Paint;
    readonly tokens: DeskAtShell['tokens'];
    readonly vault: string | undefined;
    readonly problem: string | undefined;
  },
): string {
  const { id, timeMs, asker, tool, diff } = proposal;
  const head = lines([
    `${paint.strong(id)}  proposed ${momentText(timeMs)} by ${askerText(asker, tokens)}`,
    `${shownLine(tool)}; ${stateText(proposal)}`,
    ...firstOf(filesInOrder(proposedFiles(proposal)).map(fileText)),
  ]);
  const hint = proposal.state === 'open' ? `\n${decideHint(proposal, vault, problem)}\n` : '';
  return head + plainDiff(shownText(diff), paint).text + hint;
}

function stateText({ state, timeMs, change, reason }: ListedProposal): string {
  if (state === 'open') return waitsText(timeMs + limits.proposalAgeMaxMs);
  if (state === 'accepted') return `accepted, as change ${change}`;
  return `refused${reason === undefined ? '' : `: ${shownLine(reason)}`}`;
}

function decideHint(
  proposal: ShownProposal,
  vault: string | undefined,
  problem: string | undefined,
): string {
  const { id, shownAs, replanned = false } = proposal;
  const accept = nextCommand(`proposals accept ${shownAs}`, vault);
  const refuse = `${nextCommand(`proposals refuse ${id}`, vault)} refuses it.`;
  if (problem !== undefined) return `It cannot be made now: ${shownLine(problem)} ${refuse}`;
  const alone = `(${id} alone works, too; with the part behind @, nothing but what is shown here is made.) `;
  return `${accept} makes this change. ${replanned ? '' : alone}${refuse}`;
}

function listHint({ id, replanned }: ListedProposal, vault: string | undefined): string {
  const command = (words: string): string => nextCommand(`proposals ${words} ${id}`, vault);
  if (replanned)
    return `${command('show')} shows what it would change now, and how to accept that.`;
  return `${command('show')} shows what it would change; ${command('accept')} makes it, ${command('refuse')} does not.`;
}

function fieldsOf(proposal: ListedProposal, tokens: DeskAtShell['tokens']): object {
  const { id, state, timeMs, tool, asker, change, reason, decidedMs } = proposal;
  return {
    id,
    state,
    timeMs,
    expiresMs: timeMs + limits.proposalAgeMaxMs,
    tool,
    asker: withTokenName(asker, tokens),
    files: proposedFiles(proposal),
    ...(change === undefined ? {} : { change }),
    ...(reason === undefined ? {} : { reason }),
    ...(decidedMs === undefined ? {} : { decidedMs }),
  };
}

const verbs = { created: 'makes', changed: 'changes', moved: 'moves', deleted: 'deletes' } as const;

/** What would happen to one file. */
function fileText({ path, did, from }: ReturnType<typeof proposedFiles>[number]): string {
  const moved = from === undefined ? '' : `${shownLine(from)} -> `;
  return `${verbs[did]} ${moved}${shownLine(path)}`;
}
