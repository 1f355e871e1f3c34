import type { FactSource } from '../bases/query/fact-source.ts';
import { unpackView } from '../bases/query/packed-view.ts';
import { runView } from '../bases/query/run-view.ts';
import { factSource, type JsonFacts, type Queries, type Query } from './query-runner.ts';
import { runDataview } from './run-dataview.ts';

/** What an evaluation asks its caller for: a method of `JsonFacts` with its arguments. */
export type QueryQuestion = {
  [Method in keyof JsonFacts]: {
    readonly method: Method;
    readonly args: Parameters<JsonFacts[Method]>;
  };
}[keyof JsonFacts];

type QueryResult = Queries[keyof Queries]['result'];

/** How far an evaluation came: it needs an answer, or it is done. */
type QueryStep =
  | { readonly asks: QueryQuestion; readonly done?: undefined }
  | { readonly asks?: undefined; readonly done: QueryResult };

/**
 * Evaluates one query after the other for a caller in another thread: `start` and `next` go on until
 * facts are needed, `next` takes the answer, and `stop` forgets a query whose answer has failed.
 */
export class QuerySession {
  readonly #random: () => number;
  #waiting: ((answer: unknown) => void) | undefined;
  #onStep: { resolve: (step: QueryStep) => void; reject: (error: unknown) => void } | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  start(query: Query): Promise<QueryStep> {
    return this.#untilStep(() => {
      this.#run(query).then(
        (done) => this.#onStep?.resolve({ done }),
        (error) => this.#onStep?.reject(error),
      );
    });
  }

  next(answer: unknown): Promise<QueryStep> {
    return this.#untilStep(() => this.#waiting?.(answer));
  }

  /** Nothing holds the facts of the query any more. */
  async stop(): Promise<void> {
    this.#waiting = undefined;
    this.#onStep = undefined;
  }

  #run(query: Query): Promise<QueryResult> {
    const source = this.#source();
    return query.kind === 'view'
      ? runView(source, unpackView(query.request, this.#random))
      : runDataview(source, query.request);
  }

  #untilStep(go: () => void): Promise<QueryStep> {
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
    this.#onStep?.resolve({ asks: { method, args } as QueryQuestion });
    return answered as ReturnType<JsonFacts[Method]>;
  }

  #source(): FactSource {
    const facts: JsonFacts = {
      files: (...args) => this.#ask('files', args),
      load: (...args) => this.#ask('load', args),
      named: (...args) => this.#ask('named', args),
    };
    return factSource(facts, async () => {}); // Its caller may end this thread; nobody waits for it.
  }
}
