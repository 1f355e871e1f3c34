import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { createClient, revokeClient } from '../../oauth/clients/entered-clients.ts';
import type { EnteredClient } from '../../oauth/ports/oauth-book.ts';
import { table } from '../../tools/cli/table.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import type { Paint } from '../../tools/define/define-tool.ts';
import { readClientOptions } from '../options/client-options.ts';
import { clusterHelp } from '../options/cluster-options.ts';
import { hint } from '../options/program-text.ts';
import { print, printJson, remark } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import { paintFor } from '../shell/terminal.ts';
import { type SignInBooks, withSignInBooks } from '../vaults/cluster-access.ts';
import { shownStateFolder } from '../vaults/state-folder.ts';

const help = `Usage: vaultdoor client create <name> --redirect <address> [options]
       vaultdoor client list
       vaultdoor client revoke <id or name>

Enter apps by hand that sign in to "vaultdoor serve". Most apps register themselves. This is
for those where that fails and that have fields for an OAuth client id and secret, such as the
advanced settings of a connector in claude.ai.

  --redirect <address>  Where the app takes the answer, as its maker writes it, such as
                        https://claude.ai/api/mcp/auth_callback; may be repeated.
  --secret              Make a secret too, for apps that ask for one. It is shown once.
  --vault <folder>      Accepted and not used.
${clusterHelp}  --json                The whole answer as JSON.

Examples:
  vaultdoor client create claude --redirect https://claude.ai/api/mcp/auth_callback --secret
  vaultdoor client list
`;

/** `vaultdoor client`: enters, lists and revokes clients that cannot register themselves. */
export const clientProgram: Program = { help, run };

function run(shell: Shell, argv: readonly string[]): Promise<number> {
  return withSignInBooks(shell, argv, (books, rest) => carryOut(shell, rest, books));
}

async function carryOut(
  shell: Shell,
  argv: readonly string[],
  books: SignInBooks,
): Promise<number> {
  const options = readClientOptions(argv);
  const { oauth: book } = books;
  switch (options.action) {
    case 'create': {
      const { name, redirectUris, secret: hasSecret, json } = options;
      const wanted = { name, redirectUris, secret: hasSecret, nowMs: Date.now() };
      const { client, secret } = await createClient(book, nodeOAuthCrypto, wanted);
      if (json) return printJson(shell, { ...shownClient(client), ...(secret && { secret }) });
      return print(shell, created(client, secret));
    }
    case 'list': {
      const clients = await book.clients();
      if (options.json) return printJson(shell, { clients: clients.map(shownClient) });
      if (clients.length === 0) return remark(shell, nobody(shell));
      return print(shell, listed(clients, paintFor(shell.stdout, shell.env)));
    }
    case 'revoke': {
      const client = await revokeClient(book, options.client);
      if (options.json) return printJson(shell, shownClient(client));
      return print(
        shell,
        `Revoked the app "${client.name}" (${client.id}): it cannot sign in or renew its access. ${hint('connections revoke')} ends what it was allowed.\n`,
      );
    }
  }
}

/** A client without the hash of its secret. */
function shownClient({ secret, ...client }: EnteredClient): object {
  return { ...client, hasSecret: secret !== undefined };
}

function created({ id, name }: EnteredClient, secret: string | undefined): string {
  return [
    `Entered the app "${name}". Its OAuth client id:`,
    '',
    `  ${id}`,
    '',
    ...(secret === undefined
      ? []
      : ['Its secret, which is shown only now:', '', `  ${secret}`, '']),
    `Type ${secret === undefined ? 'it' : 'both'} into the app, where you give it the address of your server ("advanced settings").`,
    '',
  ].join('\n');
}

function nobody({ env }: Shell): string {
  return `No app was entered by hand for servers that keep their state in ${shownStateFolder(env)}; ${hint('client create <name> --redirect <address>')} enters one.`;
}

function listed(clients: readonly EnteredClient[], paint: Paint): string {
  return lines(
    table(
      [
        { title: 'id', whole: true },
        { title: 'name' },
        { title: 'secret' },
        { title: 'made', whole: true },
        { title: 'answers go to' },
      ],
      clients.map(({ id, name, redirectUris, secret, createdMs }) => [
        id,
        plain(name),
        secret === undefined ? 'no secret' : 'with a secret',
        paint.when(createdMs),
        plain(redirectUris.join(' ')),
      ]),
      paint,
    ),
  );
}
