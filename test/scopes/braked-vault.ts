import { expect } from 'vitest';
import { allScopes, type Caller } from '../../src/base/caller.ts';
import { limits } from '../../src/base/limits.ts';
import type { Question, QuestionAnswer } from '../../src/engine/ports/questions.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import type { Outcome } from '../../src/tools/define/outcome.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService, type Service } from '../../src/tools/service/service.ts';
import { type ManualTimers, manualTimers } from '../support/manual-timers.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { type MemoryVault, openWrittenVault, testCaller } from '../support/written-vault.ts';

/** The name of a note of the vault. */
export const noteName = (number: number): string => `N${String(number).padStart(2, '0')}`;

/** Timers that a test drives, with the clock, and that count who waits to look for an answer. */
class LookTimers implements ManualTimers {
  passedMs = 0;
  looks = 0;
  readonly #timers = manualTimers();

  after(ms: number, call: () => void): () => void {
    const isLook = ms === limits.ownerLookEveryMs;
    if (isLook) this.looks += 1;
    let isOver = false;
    const over = (): void => {
      if (isLook && !isOver) this.looks -= 1;
      isOver = true;
    };
    const cancel = this.#timers.after(ms, () => {
      over();
      call();
    });
    return () => {
      over();
      cancel();
    };
  }

  advance(ms: number): void {
    this.passedMs += ms;
    this.#timers.advance(ms);
  }
}

/** A vault of notes N00, N01 … behind all note toolsets, on a clock that the test drives. */
export class Braked {
  readonly vault: MemoryVault;
  readonly service: Service;
  readonly timers: LookTimers;

  constructor(vault: MemoryVault, service: Service, timers: LookTimers) {
    this.vault = vault;
    this.service = service;
    this.timers = timers;
  }

  /** Calls a tool as someone with a brake; waits as long as the call waits for the owner. */
  call(tool: string, args: object, caller: Partial<Caller> = {}): Promise<Outcome> {
    return this.drive(this.begin(tool, args, caller));
  }

  /** The same without letting time pass. */
  begin(tool: string, args: object, caller: Partial<Caller> = {}): Promise<Outcome> {
    const who: Partial<Caller> = { door: 'mcp-stdio', client: 'agent', connection: 'c1' };
    return this.service.call(tool, args, testCaller({ ...who, scopes: braked, ...caller }));
  }

  delete(number: number, caller: Partial<Caller> = {}): Promise<Outcome> {
    return this.call('delete_note', { name: noteName(number) }, caller);
  }

  /** Deletes notes one after the other; all of it must be allowed. */
  async deleteMany(from: number, to: number, caller: Partial<Caller> = {}): Promise<void> {
    for (let number = from; number < to; number++) {
      expect(await this.delete(number, caller), noteName(number)).toMatchObject({ ok: true });
    }
  }

  /** Lets time pass, in the steps in which a waiting call looks, until a call has ended. */
  async drive<T>(ending: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    ending.then(done, done);
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.timers.looks > 0) this.pass(limits.ownerLookEveryMs);
    }
    return ending;
  }

  pass(ms: number): void {
    this.timers.advance(ms);
  }

  questions(open = true): Promise<readonly Question[]> {
    const { questions, clock } = this.vault.whole.parts;
    return questions.list({ open, nowMs: clock.nowMs() });
  }

  /** The owner answers the question that waits. */
  async answer(says: QuestionAnswer['says'], reason?: string): Promise<void> {
    const { questions, clock } = this.vault.whole.parts;
    const [question] = await this.questions();
    expect(question).toBeDefined();
    if (question === undefined) return;
    const timeMs = clock.nowMs();
    await questions.answer(question.id, { says, timeMs, ...(reason && { reason }) });
  }

  has(number: number): boolean {
    return `${noteName(number)}.md` in this.vault.files();
  }
}

const braked = { ...allScopes, brakeFiles: 25 };
/** Someone whose every deletion is asked about. */
export const strictly: Partial<Caller> = { scopes: { ...allScopes, brakeFiles: 0 } };

/** Opens one with so many notes. */
export async function openBraked(count: number): Promise<Braked> {
  const notes = Array.from({ length: count }, (_, at) => [`${noteName(at)}.md`, `text ${at}\n`]);
  const disk = memoryDisk(Object.fromEntries(notes), { stepMs: 1 });
  const timers = new LookTimers();
  const clock = { nowMs: () => disk.clock.nowMs() + timers.passedMs };
  const vault = await openWrittenVault(disk, { parts: { clock, timers } });
  const toolsets = [
    notesToolset({ tagPolicy: 'off', history: true, contextEveryMs: 0 }),
    obsidianToolset(),
    agentToolset({ sync: false, publish: false }),
  ].map(({ context: _, ...toolset }) => toolset);
  const service = createService(vault.whole, toolsets, timers);
  return new Braked(vault, service, timers);
}

/** What a call answers whose question the owner has not answered. */
export function asked(id: string): object {
  return {
    ok: false,
    error: {
      code: 'forbidden',
      message: `The owner of the vault was asked (${id}) and has not answered yet; nothing was changed. Call again with the same arguments once they have agreed.`,
      details: { question: id, retry: 'same arguments' },
    },
  };
}
