import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import { BridgeDoor } from '../support/bridge-door.ts';
import { type MemoryVault, openWrittenVault } from '../support/written-vault.ts';
import { type BridgeCase, bodyOf, methodOf, pathOf } from './bridge-case.ts';
import { bridgeCases } from './bridge-cases.ts';
import { checkBridgeReply } from './run-bridge-case.ts';

const folder = fileURLToPath(new URL('../../examples/vault', import.meta.url));

/** The example vault, as files in memory. */
function exampleFiles(): Record<string, Uint8Array> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [
      file.slice(folder.length + 1).replaceAll('\\', '/'),
      new Uint8Array(readFileSync(file)),
    ]),
  );
}

describe('Bridge v1, without a port', () => {
  let vault: MemoryVault;
  let door: BridgeDoor;

  beforeAll(async () => {
    vault = await openWrittenVault(exampleFiles());
    const toolset = notesToolset({ tagPolicy: 'enforce', history: true, contextEveryMs: 0 });
    door = new BridgeDoor(createService(vault.whole, [toolset], nodeTimers));
  });

  afterAll(() => vault.close());

  it('has each requirement once', () => {
    expect(new Set(bridgeCases.map(({ id }) => id)).size).toBe(bridgeCases.length);
  });

  // Only a listener sees how a body comes.
  const whole = bridgeCases.filter(({ request }) => !request.isChunked);

  it.each(whole.map((one) => [one.id, one.source, one] as const))(
    '%s %s',
    async (_id, _source, one: BridgeCase) => {
      const { request } = one;
      const body = bodyOf(request);
      const response = await door.ask({
        method: methodOf(request),
        path: pathOf(request),
        ...(request.headers === undefined ? {} : { headers: request.headers }),
        ...(body === undefined ? {} : { body }),
      });
      checkBridgeReply(one, {
        status: response.status,
        headers: new Map(response.headers),
        body: await response.text(),
      });
    },
  );
});
