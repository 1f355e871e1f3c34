import { givenIssuer, type Issuer } from '../../oauth/grants/issuer.ts';
import { withEnvironment } from '../options/environment-options.ts';
import { ProgramArguments } from '../options/program-arguments.ts';
import { portOf } from '../options/serve-options.ts';
import type { Shell } from '../shell/shell.ts';

/** The options of `vaultdoor doctor`. */
export interface DoctorOptions {
  /** The folders of `--vault`, as they were given. */
  readonly vaults: readonly string[];
  /** The addresses at which clients sign in to a server. */
  readonly issuers: readonly Issuer[];
  /** Absent when no port was given. */
  readonly port?: number;
  /** `text` is what needs something, and the rest in short; the others have everything. */
  readonly output: 'text' | 'all' | 'json' | 'report';
  /** For its own use: the vault at which this process looks for another one; see `lookAtVaults`. */
  readonly look?: { readonly path: string; readonly brief: boolean };
}

/** Reads the arguments after `doctor`. Fails with `invalid_input` and what to write instead. */
export function readDoctorOptions(argv: readonly string[], env: Shell['env']): DoctorOptions {
  const isGiven = argv.some((word) => /^--public-url(=|$)/.test(word));
  const args = new ProgramArguments(
    'doctor',
    withEnvironment(argv, env, {
      PORT: { value: '--port' },
      ...(isGiven ? {} : { VAULTDOOR_PUBLIC_URL: { list: '--public-url' } }),
    }),
    [
      ['vault', 'list'],
      ['public-url', 'list'],
      ['port', 'value'],
      ['all', 'switch'],
      ['json', 'switch'],
      ['report', 'switch'],
      ['look', 'value'],
      ['brief', 'switch'],
    ],
  );
  if (args.positionals.length > 0) {
    throw args.refusal(
      '"doctor" takes options only; give an address with "--public-url", a folder with "--vault".',
    );
  }
  const outputs = (['all', 'json', 'report'] as const).filter((flag) => args.has(flag));
  if (outputs.length > 1) {
    const given = outputs.map((flag) => `"--${flag}"`).join(' and ');
    throw args.refusal(`${given} contradict each other; give one of them.`);
  }
  const look = args.value('look');
  const port = portOf(args, 'port') ?? 0;
  return {
    vaults: args.list('vault'),
    issuers: args.list('public-url').map((text) => issuerIn(text, args)),
    ...(port === 0 ? {} : { port }),
    output: outputs[0] ?? 'text',
    ...(look === undefined ? {} : { look: { path: look, brief: args.has('brief') } }),
  };
}

function issuerIn(text: string, args: ProgramArguments): Issuer {
  const issuer = givenIssuer(text);
  if (issuer !== undefined) return issuer;
  throw args.refusal(
    'Apps sign in only at an address that begins with https:// (or http:// on this machine itself). "--public-url" takes an address such as https://vault.example.com.',
  );
}
