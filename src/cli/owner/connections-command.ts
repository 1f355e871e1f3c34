import { oneLine } from '../../base/one-line.ts';
import { VaultError } from '../../base/vault-error.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import type { Grant } from '../../oauth/ports/oauth-book.ts';
import { table } from '../../tools/cli/table.ts';
import { counted, lines, plain } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { readConnectionsOptions } from '../options/connections-options.ts';
import { hint } from '../options/program-text.ts';
import { print, printJson, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { type SignInBooks, withSignInBooks } from '../vaults/cluster-access.ts';
import { machineGrants, revokeAll } from '../vaults/machine-grants.ts';
import { shownStateFolder } from '../vaults/state-folder.ts';

const help = `Usage: vaultdoor connections list
       vaultdoor connections revoke <id>
       vaultdoor connections revoke --all

List and revoke the connections of apps that have signed in to "vaultdoor serve". A connection is
what you have allowed one app; the page /owner of the server lists the same. A revoked one ends
within a second; the app has to sign in again, and you decide again.

  --all               Revoke all connections.
  --vault <folder>    Accepted and not used.
${clusterHelp}  --json              The answer as JSON.

Examples:
  vaultdoor connections list
  vaultdoor connections revoke g0123456789abcdef
`;

/** `vaultdoor connections`: lists and revokes what the owner has allowed clients that sign in. */
export const connectionsProgram: Program = { help, run };

const nameCharsMax = 60;

/** The rights in the words of the console. */
const rightWords = {
  read: 'read',
  write: 'change',
  destroy: 'delete',
  propose: 'propose',
} as const;

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withSignInBooks(shell, argv, (books, rest) => carryOut(shell, rest, books));
}

async function carryOut(
  shell: Shell,
  argv: readonly string[],
  books: SignInBooks,
): Promise<number> {
  const options = readConnectionsOptions(argv);
  const grants = machineGrants(books.oauth);
  switch (options.action) {
    case 'list': {
      const all = await grants.list();
      if (options.json) return printJson(shell, { connections: all.map(shownGrant) });
      if (all.length === 0) return remark(shell, nobody(shell));
      return print(shell, listed(all, paintFor(shell.stdout, shell.env)));
    }
    case 'revoke': {
      const ended = await grants.end(options.id, 'revoked');
      if (ended === undefined) {
        throw new VaultError(
          'not_found',
          `There is no connection with this id; ${hint('connections list')} shows all connections.`,
        );
      }
      if (options.json) return printJson(shell, shownGrant(ended));
      return print(shell, `Revoked the connection of ${nameOf(ended)} (${ended.id}).\n`);
    }
    case 'revoke-all': {
      const revoked = await revokeAll(grants);
      if (options.json) return printJson(shell, { revoked });
      return print(shell, `Revoked ${counted(revoked.length, 'connection')}.\n`);
    }
  }
}

/** A grant without the hashes of its tokens. */
function shownGrant({ pairs: _, ended: _ended, ...grant }: Grant): object {
  return grant;
}

function nobody({ env }: Shell): string {
  return `No app is signed in to a server that keeps its state in ${shownStateFolder(env)}.`;
}

function listed(grants: readonly Grant[], paint: Paint): string {
  const hasVaults = new Set(grants.map(({ vaults }) => vaults.join('\n'))).size > 1;
  return lines(
    table(
      [
        { title: 'id', whole: true },
        { title: 'app' },
        { title: 'answers to' },
        { title: 'may' },
        { title: 'sees' },
        { title: 'tools' },
        ...(hasVaults ? [{ title: 'vaults' }] : []),
        { title: 'last used', whole: true },
        { title: 'ends', whole: true },
      ],
      grants.map((grant) => [
        grant.id,
        nameOf(grant),
        oneLine(grant.client.answersTo, nameCharsMax),
        grant.effects.map((right) => rightWords[right]).join(' '),
        plain(sees(grant)),
        grant.tools.join(' '),
        ...(hasVaults ? [plain(grant.vaults.join(' '))] : []),
        grant.usedMs === undefined ? 'not used yet' : paint.when(grant.usedMs),
        grant.endsMs === undefined ? 'if revoked' : formatDate(grant.endsMs, 'YYYY-MM-DD'),
      ]),
      paint,
    ),
  );
}

function nameOf({ client }: Grant): string {
  const verified = client.kind === 'known' || client.kind === 'entered' ? '' : ' (not verified)';
  const name = client.name === '' ? 'an app without a name' : JSON.stringify(client.name);
  return `${oneLine(name, nameCharsMax)}${verified}`;
}

function sees({ folders }: Grant): string {
  return folders.includes('') ? 'the whole vault' : folders.map((folder) => `${folder}/`).join(' ');
}
