import { existsSync } from 'node:fs';
import { limits } from '../../base/limits.ts';
import { askServer, type ServerAnswer } from '../../node/oauth/ask-server.ts';
import type { UserPlace } from '../../node/place/app-folders.ts';
import { connectLocal, localSocketPath } from '../../node/server/local-socket.ts';
import { errnoOf } from '../../node/system/disk-error.ts';
import { readConfigFile } from '../install/config-file.ts';
import { defaultServePort } from '../options/serve-options.ts';
import { decidedIn } from '../setup/server-plan.ts';
import { serveCommand } from '../setup/server-text.ts';
import { type Settings, serviceFiles, settingsIn } from '../setup/service-files.ts';
import { userSystemd } from '../setup/systemd.ts';
import type { Shell } from '../shell/shell.ts';
import type { SeenVault } from './doctor-vaults.ts';
import {
  bad,
  command,
  type Finding,
  hidden,
  known,
  ok,
  type Said,
  said,
  warning,
} from './finding.ts';
import { jsonOf } from './server-finding.ts';

/** The port that a server has or would have. */
interface ServerPort {
  readonly port: number;
  /** Whether the user or setup has named it, so that it is meant to work. */
  readonly isGiven: boolean;
  /** What starts the server that setup has made for this port; absent where it has made none. */
  readonly start?: () => Promise<Said>;
}

/** A vault, and whether a server of it runs. */
export interface ServedVault extends SeenVault {
  readonly isServed: boolean;
}

/** Whether a server of this vault runs that other programs of this user can share. */
export async function isServed({ folders }: SeenVault): Promise<boolean> {
  if (folders === undefined) return false;
  const socket = await connectLocal(localSocketPath(folders, process.platform));
  if (socket !== undefined && socket !== 'busy') socket.destroy();
  return socket !== undefined;
}

/**
 * What listens at the port that was given, or else at that of the server which setup has made, or of
 * `vaultdoor serve`; and for which of the vaults a server runs.
 */
export async function examineLocalServer(
  shell: Pick<Shell, 'signal' | 'version' | 'env'>,
  { given, place }: { readonly given: number | undefined; readonly place: UserPlace },
  served: readonly ServedVault[],
): Promise<readonly Finding[]> {
  const ofSetup = portIn(await settingsOfSetup(place));
  const named = given ?? ofSetup;
  const at = {
    port: named ?? defaultServePort,
    isGiven: named !== undefined,
    ...(named === undefined || named !== ofSetup ? {} : { start: () => startOf(shell, place) }),
  };
  return [
    await portFinding(shell, at),
    ...served
      .filter((vault) => vault.isServed)
      .map(({ name }) => ok('running', said`A server of ${name} runs on this machine.`)),
  ];
}

/** The settings of the server that `setup --server` has set up here; undefined when there is none. */
export async function settingsOfSetup(place: UserPlace): Promise<Settings | undefined> {
  const file = await readConfigFile(serviceFiles(place).env).catch(() => undefined);
  return settingsIn(file?.text ?? '')?.settings;
}

/** What starts the server that setup has made: its service, or where no systemd runs the command. */
async function startOf(shell: Pick<Shell, 'signal' | 'env'>, place: UserPlace): Promise<Said> {
  const { unit, env } = serviceFiles(place);
  const isService = existsSync(unit) && (await userSystemd(shell)) !== undefined;
  if (isService) return known('systemctl --user start vaultdoor');
  const file = await readConfigFile(env).catch(() => undefined);
  const line = serveCommand(decidedIn(settingsIn(file?.text ?? '')));
  return line === undefined ? command(['serve']) : hidden(line, command(['serve']).reported);
}

/** The port in the settings that setup has written; undefined when there are none. */
function portIn(settings: Settings | undefined): number | undefined {
  const port = Number(settings?.['PORT']);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

async function portFinding(
  { signal, version }: Pick<Shell, 'signal' | 'version'>,
  { port, isGiven, start }: ServerPort,
): Promise<Finding> {
  const shown = known(String(port));
  const serve = command(['serve']);
  const url = new URL(`http://127.0.0.1:${port}/health`);
  const taken = (isGiven ? bad : warning)(
    'port',
    said`Another program listens at port ${shown}, so "${serve}" cannot.`,
    said`Stop that program, or choose another port: "${serve} --port ${known(String(otherPort(port)))}".`,
  );
  try {
    const patience = { signal, askMs: limits.doctorProgramMs };
    const answer = await askServer({ method: 'GET', url }, patience);
    const health = healthIn(answer);
    if (health === undefined) return taken;
    const { status, version: theirs } = health;
    const server = said`Vaultdoor ${known(theirs)} listens at port ${shown}`;
    if (status !== 'ok') {
      return bad(
        'port',
        said`${server}, but says that something is wrong: ${known(status)}.`,
        said`Look into its log. With "vault_not_found" its vault is away: look at "vault" above.`,
      );
    }
    if (theirs === version)
      return ok(
        'port',
        said`${server}, and all is well. (You, or another user of this machine, has started it.)`,
      );
    return warning(
      'port',
      said`${server}, but this program is ${known(version)}.`,
      said`Start the server again, so that it is the version that is installed.`,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (errnoOf(error) !== 'ECONNREFUSED') return taken;
    if (start === undefined) {
      return ok('port', said`Nothing listens at port ${shown}; "${serve}" would.`);
    }
    return bad(
      'port',
      said`Nothing runs at port ${shown}: the server that setup has made does not run.`,
      said`Start it: ${await start()}`,
    );
  }
}

/** What our `/health` answers; undefined for the answer of another program. */
function healthIn(
  answer: ServerAnswer,
): { readonly status: string; readonly version: string } | undefined {
  const { status, version, ...more } = jsonOf(answer) ?? {};
  if (typeof status !== 'string' || typeof version !== 'string') return undefined;
  const isPlain = [status, version].every((text) => /^[\w.+-]{2,40}$/.test(text));
  return isPlain && Object.keys(more).length === 0 ? { status, version } : undefined;
}

function otherPort(port: number): number {
  return port < 65_535 ? port + 1 : port - 1;
}
