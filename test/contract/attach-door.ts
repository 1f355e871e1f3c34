import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { ContractDoor } from './contract-case.ts';
import { sdkConnection } from './sdk-client.ts';
import { serverArgs } from './server-args.ts';
import { startSdkClient } from './stdio-door.ts';

/**
 * The built program over stdio, each connection a process that lets one server do the work. The
 * server has other options than a case asks for: what counts is what each client was started with.
 */
export const attachDoor: ContractDoor = {
  name: 'mcp-attach',
  async open(folder, options) {
    const home = tempFolder();
    const env = { XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
    const server = await HttpProcess.start({ folder, env, args: ['--tools', 'agent'] });
    const start = { folder, env, args: ['--attach', ...serverArgs(options)] };
    const user = { era: '2025-11-25', ...(options.person && { person: options.person }) } as const;
    let clients = 0;
    return {
      async connect() {
        const connection = await sdkConnection(await startSdkClient(start, user));
        clients += 1;
        await server.says(() => server.stderr.includes(`attached clients=${clients}`));
        return connection;
      },
      // Killed at the end of the test: how it leaves by itself is tested elsewhere.
      close: async () => undefined,
    };
  },
};
