import { expect, it } from 'vitest';
import { BridgeDoor } from '../../../test/support/bridge-door.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { notesToolset } from '../../tools/notes/notes-toolset.ts';
import { createService, type Service } from '../../tools/service/service.ts';

const ask = { path: '/bridge/v1/tools/events', headers: { accept: 'text/event-stream' } };

/** A service whose tools become others: the one of the program never changes while it runs. */
class ChangingService {
  readonly service: Service;
  #shown = 3;
  #listener: () => void = () => undefined;

  constructor(of: Service) {
    this.service = Object.assign(Object.create(of) as Service, {
      call: (...call: Parameters<Service['call']>) => of.call(...call),
      insteadOf: () => undefined,
      list: (effects: Parameters<Service['list']>[0]) => of.list(effects).slice(0, this.#shown),
      onToolsChanged: (listener: () => void) => {
        this.#listener = listener;
        return () => {
          this.#listener = () => undefined;
        };
      },
    });
  }

  show(count: number): void {
    this.#shown = count;
    this.#listener();
  }
}

async function changing(): Promise<ChangingService> {
  const { whole } = await openWrittenVault({});
  const toolset = notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 });
  return new ChangingService(createService(whole, [toolset], nodeTimers));
}

it('a stream says the hash of the tools at once, and again when they are others', async () => {
  const tools = await changing();
  const door = new BridgeDoor(tools.service);
  const response = await door.ask(ask);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const { hash: before } = await door.tools();
  tools.show(3);
  tools.show(5);
  const { hash: after } = await door.tools();
  door.timers.advance(limits.httpKeepAliveMs);
  door.timers.advance(limits.httpKeepAliveMs);
  await door.http.close(0);
  expect(after).not.toBe(before);
  expect(await response.text()).toBe(
    [
      `event: tools\ndata: {"hash":"${before}"}\n\n`,
      `event: tools\ndata: {"hash":"${after}"}\n\n`,
      ': still here\n\n',
      ': still here\n\n',
    ].join(''),
  );
});

it('a tool that is new can be called, and one that is gone cannot', async () => {
  const tools = await changing();
  const door = new BridgeDoor(tools.service);
  const [called = ''] = (await door.tools()).names;
  const answered = (): Promise<unknown> => door.call(called);
  expect(await answered()).toHaveProperty('success');
  tools.show(0);
  expect(await answered()).toMatchObject({ error: 'Tool not found' });
  tools.show(3);
  expect(await answered()).toHaveProperty('success');
});

it('so many streams are open and no more; who leaves makes room', async () => {
  const tools = await changing();
  const door = new BridgeDoor(tools.service);
  const open = await Promise.all(
    Array.from({ length: limits.bridgeStreamsMax }, () => door.ask(ask)),
  );
  expect((await door.ask(ask)).status).toBe(503);
  await open[0]?.body?.cancel();
  expect((await door.ask(ask)).status).toBe(200);
  tools.show(1); // Those that are gone are not written to.
  await door.http.close(0);
});

it('keep-alive goes on for who comes after everybody has left', async () => {
  const tools = await changing();
  const door = new BridgeDoor(tools.service);
  await (await door.ask(ask)).body?.cancel();
  door.timers.advance(limits.httpKeepAliveMs);
  const response = await door.ask(ask);
  door.timers.advance(limits.httpKeepAliveMs);
  await door.http.close(0);
  expect(await response.text()).toContain(': still here');
});
