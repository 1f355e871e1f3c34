import { isAlias, isMap, isNode, isPair, isScalar, isSeq, Pair, YAMLMap } from 'yaml';
import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import type { PropertyValue } from '../facts/facts.ts';
import { type YamlDocument, YamlRefusal } from './yaml-document.ts';
import { endOf, startOf } from './yaml-nodes.ts';

/** A string inside a value; the fields are those of `PropertyString`. */
export interface FoundString {
  readonly path: string;
  readonly text: string;
  readonly range: TextRange;
  readonly aliased: boolean;
}

/**
 * Turns nodes of a document into plain values. Throws `YamlRefusal` for what YAML allows and a
 * property cannot have: a duplicate key, unlimited nesting, and aliases that multiply.
 */
export class YamlValues {
  readonly #document: YamlDocument;
  readonly #source: string;
  /** The nodes that aliases name. The library would search the whole document for each alias. */
  readonly #anchors = new Map<string, unknown>();
  /**
   * How many values aliases have added, which is limited so that a few lines cannot grow into
   * gigabytes.
   */
  #expanded = 0;

  readonly #nestingMax: number;

  constructor(document: YamlDocument, source: string, nestingMax: number = limits.nestingMax) {
    this.#document = document;
    this.#source = source;
    this.#nestingMax = nestingMax;
  }

  /**
   * Returns the value of a node, and reports each string in it in the order they are written. Nodes
   * must be passed in that order too, because an alias means the last anchor of its name before it.
   */
  valueOf(node: unknown, onString: (found: FoundString) => void): PropertyValue {
    return this.#value(node, { path: '', depth: 0, alias: undefined, onString });
  }

  /**
   * Yields the pairs of a map with their keys as strings, as the app shows them. One by one,
   * because a key may be an alias of something in the value before it.
   */
  *entriesOf(map: YAMLMap): Generator<readonly [string, Pair], undefined> {
    const seen = new Set<string>();
    for (const pair of map.items) {
      const key = this.#keyOf(pair);
      if (seen.has(key)) this.#refuse('A property name occurs twice.', pair.key);
      seen.add(key);
      yield [key, pair];
    }
  }

  #value(node: unknown, walk: Walk): PropertyValue {
    if (walk.depth > this.#nestingMax) this.#refuse('A value is nested too deeply.', node);
    if (walk.alias !== undefined && ++this.#expanded > limits.yamlAliasedMax) {
      this.#refuse('Aliases repeat too much.', node);
    }
    if (isAlias(node)) {
      const alias = walk.alias ?? { start: startOf(node), end: endOf(node, this.#source) };
      const target = this.#anchors.get(node.source);
      if (target === undefined) this.#refuse('An alias (`*name`) has no anchor.', node);
      return this.#value(target, { ...walk, depth: walk.depth + 1, alias });
    }
    if (walk.alias === undefined) this.#remember(node);
    if (isMap(node)) {
      const entries = Array.from(this.entriesOf(node), ([key, pair]) => {
        return [key, this.#value(pair.value, below(walk, key))] as const;
      });
      return Object.fromEntries(entries);
    }
    if (isSeq(node)) {
      return node.items.map((item, index) => this.#value(item, below(walk, index)));
    }
    if (isPair(node)) return this.#value(pairAsMap(node), walk);
    if (!isScalar(node)) return null;
    const value = scalarValue(node.value);
    if (typeof value === 'string') {
      const range = walk.alias ?? { start: startOf(node), end: endOf(node, this.#source) };
      walk.onString({ path: walk.path, text: value, range, aliased: walk.alias !== undefined });
    }
    return value;
  }

  #keyOf(pair: Pair): string {
    let key: unknown = pair.key;
    if (isAlias(key)) {
      if (!this.#anchors.has(key.source)) this.#refuse('An alias (`*name`) has no anchor.', key);
      key = this.#anchors.get(key.source);
    } else this.#remember(key);
    if (isScalar(key)) return key.value === null ? '' : String(key.value);
    if (!isNode(key)) return '';
    // A key that is a list or a map, as in `date: {{date}}`: the library writes it as text.
    try {
      const shown = new YAMLMap();
      shown.items.push(new Pair(key, null));
      return Object.keys(shown.toJS(this.#document) as object)[0] ?? '';
    } catch {
      return this.#refuse('A property name is too complex.', key);
    }
  }

  /** Remembers a node that has an anchor. */
  #remember(node: unknown): void {
    if (isNode(node) && !isAlias(node) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
  }

  #refuse(message: string, node: unknown): never {
    const start = isNode(node) ? startOf(node) : 0;
    const end = isNode(node) ? Math.max(start, node.range?.[1] ?? start) : this.#source.length;
    throw new YamlRefusal('invalid', message, { start, end });
  }
}

/** Where a value is while the tree of nodes is walked. */
interface Walk {
  readonly path: string;
  readonly depth: number;
  /** The place of the alias that led here; undefined where none did. */
  readonly alias: TextRange | undefined;
  readonly onString: (found: FoundString) => void;
}

function below(walk: Walk, key: string | number): Walk {
  return { ...walk, path: `${walk.path}.${key}`, depth: walk.depth + 1 };
}

/** In a flow list, `[a: 1]` is a list of one map. */
function pairAsMap(pair: Pair): YAMLMap {
  const map = new YAMLMap();
  map.items.push(pair);
  return map;
}

function scalarValue(value: unknown): PropertyValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return value === null || value === undefined ? null : String(value);
}
