import { describe, expect, it } from 'vitest';
import type { StdioStart, WireMessage } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A connection below the SDK: messages as text, each with its own answer. */
export interface Wire {
  /** Sends one message, and gives the answer to it. */
  ask(message: string): Promise<WireMessage>;
  /** Sends one message; everything that was answered to it, until something sent later is. */
  tell(message: string): Promise<readonly WireMessage[]>;
  /** Says goodbye in this way while `last` is still running; what is answered, and how it ends. */
  leave(
    way: LeavingWay,
    last: string,
  ): Promise<{ answers: readonly WireMessage[]; code: number | null }>;
  close(): Promise<void>;
}

export type LeavingWay = 'exit' | 'end of input';

export interface WireDoor {
  readonly name: string;
  /** Whether a connection is a process, which can be seen to leave. */
  readonly leaves: boolean;
  open(folder: string, start: WireStart): Promise<Wire>;
}

/** What the program is started with, beside its vault. */
export type WireStart = Omit<StdioStart, 'folder'>;

export type WireStep =
  | {
      /** A message, or a line that may not be one. */
      readonly send: object | string;
      /** What the answer has at least; absent when there must be none. */
      readonly answer?: object;
    }
  | { readonly leave: LeavingWay; readonly last: object; readonly answer: object };

export interface WireCase {
  readonly id: string;
  readonly source: string;
  readonly given?: Readonly<Record<string, string>>;
  /** Asked for when the case runs, since it may need files that end with it. */
  readonly start?: () => WireStart;
  readonly steps: readonly WireStep[];
}

/** Declares one test for each case that this door can run. */
export function describeWireCases(door: WireDoor, cases: readonly WireCase[]): void {
  describe(`the wire of ${door.name}`, () => {
    const able = cases.filter(({ steps }) => door.leaves || !steps.some((step) => 'leave' in step));
    it.each(able.map((each) => [each.id, each.source, each] as const))(
      '%s: %s',
      async (_id, _source, { given = {}, start, steps }) => {
        const wire = await door.open(tempFolder(given), start?.() ?? {});
        for (const step of steps) await runWireStep(wire, step);
        await wire.close();
      },
    );
  });
}

async function runWireStep(wire: Wire, step: WireStep): Promise<void> {
  if ('leave' in step) {
    const { answers, code } = await wire.leave(step.leave, JSON.stringify(step.last));
    expect(answers).toMatchObject([step.answer]);
    expect(code).toBe(0);
    return;
  }
  const text = typeof step.send === 'string' ? step.send : JSON.stringify(step.send);
  if (step.answer === undefined) {
    expect(await wire.tell(text)).toEqual([]);
  } else {
    const answer = await wire.ask(text);
    expect(answer).toMatchObject({ jsonrpc: '2.0', ...step.answer });
    expect('result' in answer).not.toBe('error' in answer);
  }
}
