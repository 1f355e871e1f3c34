import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { type Issuer, issuerOf } from '../../oauth/grants/issuer.ts';
import { counted, lines } from '../../tools/cli/text.ts';
import { withEnvironment } from '../options/environment-options.ts';
import { ProgramArguments } from '../options/program-arguments.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { print, printJson } from '../shell/report.ts';
import type { Program, Shell } from '../shell/shell.ts';
import type { Finding } from './doctor-finding.ts';
import { examineServer } from './examine-server.ts';

const help = `Usage: vaultdoor doctor --public-url <address> [options]

Check from outside whether clients can sign in to a server: its certificate, redirects, the two
documents that clients read, whether the proxy passes WWW-Authenticate and Authorization, the paths
that are needed, and the clock. Run it on any machine, best on one outside of the network of the
server. Each line begins with "ok" or "BAD" and says what to change. Nothing secret is sent, and every
request ends after ${limits.doctorAskMs / 1000} seconds. The exit code is 0 if all is well, and otherwise ${exitCodes.unavailable}.

  --public-url <address>  The address that clients use, as "vaultdoor serve" has it; otherwise
                          VAULTDOOR_PUBLIC_URL. May be repeated.
  --vault <folder>        Accepted and not used.
  --json                  The whole answer as JSON.

For a certificate of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its root
certificate.
`;

/** `vaultdoor doctor`: checks from outside whether clients can sign in to a server. */
export const doctorProgram: Program = { help, run };

interface DoctorOptions {
  readonly issuers: readonly Issuer[];
  readonly json: boolean;
}

async function run(shell: Shell, argv: readonly string[]): Promise<number> {
  const { issuers, json } = readOptions(argv, shell.env);
  const servers: { issuer: Issuer; findings: readonly Finding[] }[] = [];
  for (const issuer of issuers) {
    const findings = await examine(issuer, shell.signal);
    servers.push({ issuer, findings });
    if (!json) print(shell, serverText(issuer, findings));
  }
  const isOk = servers.every(({ findings }) => findings.every((found) => found.isOk));
  if (json) {
    printJson(shell, {
      ok: isOk,
      servers: servers.map(({ issuer, findings }) => ({
        url: issuer.url,
        resource: issuer.resource,
        checks: findings.map(({ isOk: ok, ...found }) => ({ ...found, ok })),
      })),
    });
  }
  return isOk ? 0 : exitCodes.unavailable;
}

async function examine(issuer: Issuer, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    return await examineServer(issuer, { signal, askMs: limits.doctorAskMs, nowMs: Date.now });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new VaultError('cancelled', 'The checks were interrupted.');
  }
}

function readOptions(argv: readonly string[], env: Shell['env']): DoctorOptions {
  const isGiven = argv.some((word) => /^--public-url(=|$)/.test(word));
  const variables = isGiven ? {} : { VAULTDOOR_PUBLIC_URL: { list: '--public-url' } };
  const args = new ProgramArguments('doctor', withEnvironment(argv, env, variables), [
    ['public-url', 'list'],
    ['vault', 'list'],
    ['json', 'switch'],
  ]);
  const urls = args.list('public-url');
  if (args.positionals.length > 0) {
    throw args.refusal('"doctor" takes options only; give the address with "--public-url".');
  }
  if (urls.length === 0) {
    throw args.refusal('"--public-url" is missing: the address that clients use.');
  }
  const issuers = urls.map((text) => {
    const issuer = isPlain(text) ? issuerOf(text) : undefined;
    if (issuer !== undefined) return issuer;
    throw args.refusal(
      'Clients sign in only at an address that begins with https:// (or http:// on this machine itself). "--public-url" takes an address such as https://vault.example.com.',
    );
  });
  return { issuers, json: args.has('json') };
}

function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { search, hash, username, password } = new URL(text);
  return `${search}${hash}${username}${password}` === '';
}

function serverText(issuer: Issuer, findings: readonly Finding[]): string {
  const bad = findings.filter(({ isOk }) => !isOk).length;
  // One cause often shows in several lines: what to change is said at the first of them.
  const first = new Map(findings.toReversed().map(({ change, check }) => [change, check]));
  const changeText = ({ check, change }: Finding): readonly string[] => {
    if (change === undefined) return [];
    const at = first.get(change);
    return [`     ${at === check ? change : `As at "${at}".`}`];
  };
  return lines([
    issuer.resource,
    ...findings.flatMap((found) => [
      `${found.isOk ? 'ok ' : 'BAD'}  ${found.check}: ${found.says}`,
      ...changeText(found),
    ]),
    bad === 0
      ? 'Nothing is wrong that can be seen from this machine.'
      : `${bad} of ${counted(findings.length, 'check')} failed.`,
    '',
  ]);
}
