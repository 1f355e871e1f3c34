import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { parseAst } from 'vitest/node';

/** Counts what a piece of work costs: steps, not time, so the same work always has the same count. */
export interface StepCounter<T> {
  /** What the program exports, with counters in it. */
  readonly program: T;
  /** Runs a function of the program and returns how many steps it took. */
  readonly steps: (run: () => unknown) => number;
}

/**
 * Bundles a TypeScript file with everything it imports, packages too, and puts a counter into each
 * function and each loop. A step is one entry into either, or one character or entry that a method
 * of the language looks at or copies: without these, `indexOf` in a loop would count as nothing.
 */
export function countSteps<T>(file: URL): StepCounter<T> {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(file)],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
  });
  const code = withCounters(outputFiles[0]?.text ?? '');
  const counter: Counter = {
    steps: 0,
    spread(value) {
      if (typeof value === 'object' && value !== null) this.steps += Object.keys(value).length;
      return value;
    },
  };
  const module = { exports: {} as T };
  new Function('require', 'module', 'exports', counterName, code)(
    createRequire(import.meta.url),
    module,
    module.exports,
    counter,
  );
  return {
    program: module.exports,
    steps: (run) => {
      const restore = watchMethods(counter);
      counter.steps = 0;
      try {
        run();
      } finally {
        restore();
      }
      return counter.steps;
    },
  };
}

interface Counter {
  steps: number;
  /** Counts the entries of what is spread (`...value`). */
  spread<V>(value: V): V;
}

const counterName = '$counter';

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The code with a counter at the start of each function and each pass of a loop. */
function withCounters(code: string): string {
  const puts: { at: number; text: string }[] = [];
  const count = `${counterName}.steps++`;
  const countIn = (body: AstNode): void => {
    if (body.type === 'BlockStatement') puts.push({ at: body.start + 1, text: `${count};` });
    else if (/Statement$|Declaration$/.test(body.type)) {
      puts.push({ at: body.start, text: `{${count};` }, { at: body.end, text: '}' });
    } else puts.push({ at: body.start, text: `(${count},` }, { at: body.end, text: ')' });
  };
  const left: unknown[] = [parseAst(code)];
  while (left.length > 0) {
    const node = left.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      left.push(...node);
      continue;
    }
    const { type, body, argument } = node as AstNode;
    if (type === 'SpreadElement') {
      const { start, end } = argument as AstNode;
      puts.push({ at: start, text: `${counterName}.spread(` }, { at: end, text: ')' });
    }
    const counted = /^(?:For|While|DoWhile).*Statement$|^(?:Arrow)?Function/.test(type ?? '');
    if (counted && typeof body === 'object') countIn(body as AstNode);
    left.push(...Object.values(node));
  }
  puts.sort((a, b) => a.at - b.at);
  const pieces: string[] = [];
  let done = 0;
  for (const { at, text } of puts) {
    pieces.push(code.slice(done, at), text);
    done = at;
  }
  return pieces.join('') + code.slice(done);
}

/** How many characters or entries a call of a method looked at or copied. */
type Cost = (call: {
  readonly self: { readonly length: number };
  readonly args: readonly unknown[];
  readonly result: unknown;
}) => number;

const { indexOf } = String.prototype;

const whole: Cost = ({ self }) => self.length;
const made: Cost = ({ result }) => (result as { length: number }).length;
const cut: Cost = ({ self, result }) => self.length - (result as string).length;
const first: Cost = ({ args }) => String(args[0]).length;
const upTo: Cost = ({ self, args, result }) =>
  distance(self.length, Number(args[1] ?? 0), result as number);

function distance(length: number, from: number, found: number): number {
  return (found === -1 ? length : found) - Math.min(from, length);
}

const textCosts: Readonly<Record<string, Cost>> = {
  indexOf: upTo,
  includes: ({ self, args: [wanted, from = 0] }) =>
    distance(self.length, Number(from), indexOf.call(self, String(wanted), Number(from))),
  lastIndexOf: ({ self, args: [, from = self.length], result }) =>
    Math.min(Number(from), self.length) - (result as number),
  search: ({ self, result }) => distance(self.length, 0, result as number),
  startsWith: first,
  endsWith: first,
  trim: cut,
  trimStart: cut,
  trimEnd: cut,
  repeat: made,
  split: whole,
  match: whole,
  matchAll: whole,
  replace: whole,
  replaceAll: whole,
  toLowerCase: whole,
  normalize: whole,
};

const listCosts: Readonly<Record<string, Cost>> = {
  indexOf: upTo,
  includes: whole,
  shift: whole,
  unshift: whole,
  splice: whole,
  slice: made,
  concat: made,
  join: made,
  sort: whole,
  toSorted: whole,
  reverse: whole,
  fill: whole,
  flat: made,
};

/** Makes the methods of the language count, and returns a function that ends this. */
function watchMethods(counter: Counter): () => void {
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: string, put: (method: Method) => Method): void => {
    const methods = owner as Record<string, Method>;
    const method = methods[name] as Method;
    methods[name] = put(method);
    undo.push(() => {
      methods[name] = method;
    });
  };
  const watch = (owner: object, name: string, cost: Cost): void =>
    replace(owner, name, (method) => {
      return function (this: unknown, ...args) {
        const result = method.apply(this, args);
        counter.steps += 1 + cost({ self: this as string, args, result });
        return result;
      };
    });
  const { exec } = RegExp.prototype;
  for (const [name, cost] of Object.entries(textCosts)) watch(String.prototype, name, cost);
  for (const [name, cost] of Object.entries(listCosts)) watch(Array.prototype, name, cost);
  for (const name of ['entries', 'keys', 'values']) watch(Object, name, made);
  watch(Array, 'from', made);
  watch(JSON, 'parse', first);
  watch(JSON, 'stringify', made);
  const find = function (this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    // A pattern for the start of a text, or for one place of it, fails there.
    const fixed = this.sticky || (this.source.startsWith('^') && !this.multiline);
    if (found !== null) counter.steps += found.index + found[0].length - from + 1;
    else counter.steps += fixed ? 1 : text.length - from + 1;
    return found;
  };
  replace(RegExp.prototype, 'exec', () => find as Method);
  replace(RegExp.prototype, 'test', () => {
    return function (this: unknown, text) {
      return find.call(this as RegExp, String(text)) !== null;
    };
  });
  return () => {
    for (const restore of undo) restore();
  };
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
