import { shownBaseLimits as limits } from '../../../base/engine-limits.ts';
import type { ValueJson } from '../../bases/values/value-json.ts';

/** A picture of a cell. Its `path` is filled in once the file is known. */
export interface Picture {
  readonly $image: string;
  path: string | null;
}

/**
 * Cuts the values of a view to what a page can show: long texts, lists and objects, what nests deep,
 * and everything after the room for all values together is used up.
 */
export class CellCutter {
  /** The pictures among the values so far. */
  readonly pictures: Picture[] = [];
  #values: number = limits.valuesMax;
  #chars: number = limits.charsMax;

  /** Whether there is no room left. */
  get isSpent(): boolean {
    return this.#values <= 0 || this.#chars <= 0;
  }

  cut(value: ValueJson, depth = 0): ValueJson {
    if (this.isSpent) return '…';
    this.#values--;
    if (typeof value === 'string') return this.#text(value);
    if (value === null || typeof value !== 'object') return value;
    if (depth >= limits.cellDepthMax) return '…';
    const { cellItemsMax: itemsMax } = limits;
    if (isJsonList(value)) {
      const items = value.slice(0, itemsMax).map((item) => this.cut(item, depth + 1));
      const more = value.length - items.length;
      return more === 0 ? items : [...items, { $more: more }];
    }
    const { $image: image } = value;
    if (typeof image === 'string') return this.#picture(image);
    const entries = Object.entries(value);
    const shown = entries.slice(0, itemsMax).map(([key, item]): [string, ValueJson] => {
      // A path is as long as paths may be, and would lead nowhere if it were cut.
      const isPath = key === '$file' || (key === 'path' && '$link' in value);
      return [this.#text(key), isPath ? item : this.cut(item, depth + 1)];
    });
    const more = entries.length - shown.length;
    return Object.fromEntries(more === 0 ? shown : [...shown, ['$more', more]]);
  }

  #text(text: string): string {
    const { cellCharsMax: charsMax } = limits;
    this.#chars -= Math.min(text.length, charsMax);
    if (text.length <= charsMax) return text;
    return `${text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '')}…`;
  }

  #picture(image: string): ValueJson {
    const picture: Picture = { $image: this.#text(image), path: null };
    this.pictures.push(picture);
    return picture as unknown as ValueJson;
  }
}

function isJsonList(value: ValueJson): value is readonly ValueJson[] {
  return Array.isArray(value);
}
