import { fromJson } from '../../../base/json.ts';
import type { FactSource } from './fact-source.ts';
import { type PackedView, unpackView } from './packed-view.ts';
import { runView, type ViewResult } from './run-view.ts';
import type { JsonFacts } from './view-runner.ts';

/** What an evaluation asks its caller for: a method of `JsonFacts` with its arguments. */
export type ViewQuestion = {
  [Method in keyof JsonFacts]: {
    readonly method: Method;
    readonly args: Parameters<JsonFacts[Method]>;
  };
}[keyof JsonFacts];

/** How far an evaluation came: it needs an answer, or it is done. */
type ViewStep =
  | { readonly asks: ViewQuestion; readonly done?: undefined }
  | { readonly asks?: undefined; readonly done: ViewResult };

/**
 * Evaluates one view after the other for a caller in another thread: `start` and `next` go on until
 * facts are needed, and `next` takes the answer.
 */
export class ViewSession {
  readonly #random: () => number;
  #waiting: ((answer: unknown) => void) | undefined;
  #onStep: { resolve: (step: ViewStep) => void; reject: (error: unknown) => void } | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  start(view: PackedView): Promise<ViewStep> {
    return this.#untilStep(() => {
      runView(this.#source(), unpackView(view, this.#random)).then(
        (done) => this.#onStep?.resolve({ done }),
        (error) => this.#onStep?.reject(error),
      );
    });
  }

  next(answer: unknown): Promise<ViewStep> {
    return this.#untilStep(() => this.#waiting?.(answer));
  }

  #untilStep(go: () => void): Promise<ViewStep> {
    return new Promise((resolve, reject) => {
      this.#onStep = { resolve, reject };
      go();
    });
  }

  /** The evaluation asks one question at a time. */
  #ask<Method extends keyof JsonFacts>(
    method: Method,
    args: Parameters<JsonFacts[Method]>,
  ): ReturnType<JsonFacts[Method]> {
    const answered = new Promise((resolve) => {
      this.#waiting = resolve;
    });
    this.#onStep?.resolve({ asks: { method, args } as ViewQuestion });
    return answered as ReturnType<JsonFacts[Method]>;
  }

  #source(): FactSource {
    return {
      files: async (request) => fromJson(await this.#ask('files', [request])),
      load: async (paths, parts) => fromJson(await this.#ask('load', [paths, parts])),
      named: (names) => this.#ask('named', [names]),
      turn: async () => {}, // Nobody else waits for this thread, and its caller may end it.
    };
  }
}
