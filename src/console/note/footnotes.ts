import type { Token } from 'markdown-it';
import type { ComponentChild } from 'preact';
import { renderingStrings } from '../words/rendering-strings.ts';
import { element } from './allowed-elements.ts';
import { noteAddress } from './note-address.ts';
import type { RenderContext } from './render-tokens.ts';

/** The footnotes of a note while it is rendered: numbered as they are referred to, shown at its end. */
export class Footnotes {
  readonly #context: Pick<RenderContext, 'note' | 'vault' | 'isEmbedded'>;
  /** The ids that the note defines. */
  readonly #defined: ReadonlySet<string>;
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<number, ComponentChild[]>();
  #count = 0;

  constructor(
    tokens: readonly Token[],
    context: Pick<RenderContext, 'note' | 'vault' | 'isEmbedded'>,
  ) {
    this.#context = context;
    this.#defined = new Set(
      tokens.filter(({ type }) => type === 'footnote_open').map(({ content }) => content),
    );
  }

  /** A reference to a footnote; undefined when the note does not define it. */
  reference(id: string): ComponentChild | undefined {
    return this.#defined.has(id) ? this.#mark(this.#number(id)) : undefined;
  }

  /** Keeps the text of a footnote for the end; nothing stands where it is written. */
  define(id: string, text: ComponentChild[]): ComponentChild {
    const number = this.#number(id);
    if (!this.#texts.has(number)) this.#texts.set(number, text);
    return null;
  }

  /** A footnote that is written where it is referred to. */
  inPlace(text: ComponentChild[]): ComponentChild {
    this.#count++;
    this.#texts.set(this.#count, text);
    return this.#mark(this.#count);
  }

  /** The list at the end of the note; undefined when there are no footnotes. */
  render(): ComponentChild | undefined {
    if (this.#texts.size === 0) return undefined;
    const { isEmbedded } = this.#context;
    const numbers = Array.from(this.#texts.keys()).sort((a, b) => a - b);
    return element(
      'section',
      { class: 'footnotes' },
      element('p', { class: 'footnotes-title' }, renderingStrings.footnotes),
      element(
        'ol',
        {},
        numbers.map((number) =>
          element(
            'li',
            { id: isEmbedded ? undefined : footnoteElementId(number), dir: 'auto' },
            this.#texts.get(number),
          ),
        ),
      ),
    );
  }

  #number(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#count++;
    this.#numbers.set(id, this.#count);
    return this.#count;
  }

  #mark(number: number): ComponentChild {
    const { note, vault } = this.#context;
    const href = noteAddress({ vault, path: note.path, subpath: `#[^${number}]` });
    return element('sup', { class: 'footnote' }, element('a', { href }, String(number)));
  }
}

/** The id of the element of a footnote. */
export function footnoteElementId(number: number): string {
  return `note-footnote-${number}`;
}
