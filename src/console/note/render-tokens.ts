import type { Token } from 'markdown-it';
import { type ComponentChild, type FunctionComponent, h } from 'preact';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import type { Link } from '../../markdown/facts/facts.ts';
import { renderingStrings as words } from '../words/rendering-strings.ts';
import { element } from './allowed-elements.ts';
import { Footnotes } from './footnotes.ts';
import {
  isPicture,
  type LinkTarget,
  targetOfDestination,
  targetOfLink,
  webTarget,
} from './link-target.ts';
import { searchAddress } from './note-address.ts';
import {
  cellAttributes,
  renderCalloutTitle,
  renderCode,
  renderListItem,
  renderQuote,
} from './render-blocks.tsx';
import { renderLink } from './render-link.ts';
import { renderText, splitAddresses } from './render-text.ts';
import type { ShownNote } from './shown-note.ts';

/** A file of the vault that a note shows inside itself. */
export interface EmbedProps {
  readonly path: string;
  readonly subpath: string;
  /** What is written after the `|`: a size, or other words for a picture. */
  readonly alias: string;
}

/** A code block that is a base. */
export interface BlockProps {
  readonly text: string;
}

/** What the tokens of a note are rendered with. */
export interface RenderContext {
  readonly note: Pick<ShownNote, 'path' | 'targets'>;
  readonly vault?: string | undefined;
  /** Words to highlight, from `foldedMarks`. */
  readonly marks: readonly string[];
  /** The ids of the blocks that begin on a line, counted in the parsed text. */
  readonly anchors: ReadonlyMap<number, string>;
  /** Whether the note stands inside another one: then nothing in it has an id. */
  readonly isEmbedded: boolean;
  readonly elementsMax: number;
  /** What draws embedded notes and pictures: they have to be fetched. */
  readonly Embed: FunctionComponent<EmbedProps>;
  readonly Picture: FunctionComponent<EmbedProps>;
  /** What draws code blocks that are bases; undefined where they are shown as their text. */
  readonly Block: FunctionComponent<BlockProps> | undefined;
}

/** Something that was opened and not closed yet. */
interface Frame {
  readonly token: Token | undefined;
  readonly children: ComponentChild[];
  readonly close: (children: ComponentChild[]) => ComponentChild;
}

/**
 * Makes elements of the tokens of a note. `isWhole` is false when there were more than allowed: then
 * the rest is left out. `elements` is about how many there are. Costs as much as there are tokens.
 */
export function renderTokens(
  tokens: readonly Token[],
  context: RenderContext,
): { readonly body: ComponentChild; readonly isWhole: boolean; readonly elements: number } {
  return new TokenRenderer(tokens, context).render();
}

class TokenRenderer {
  readonly #tokens: readonly Token[];
  readonly #context: RenderContext;
  readonly #frames: Frame[] = [];
  readonly #footnotes: Footnotes;
  #left: number;
  /** The text of the link that is open, to compare it with where the link leads. */
  #linkText: string | undefined;
  /** How many notes and pictures were embedded: only so many as a page may show. */
  #embeds = 0;
  #pictures = 0;
  /** How many open elements may hold text alone, such as headings. */
  #titles = 0;
  /** The ids that were given away: each stands once. */
  readonly #ids = new Set<string>();

  constructor(tokens: readonly Token[], context: RenderContext) {
    this.#tokens = tokens;
    this.#context = context;
    this.#left = context.elementsMax;
    this.#footnotes = new Footnotes(tokens, context);
  }

  render(): ReturnType<typeof renderTokens> {
    const root: ComponentChild[] = [];
    this.#frames.push({ token: undefined, children: root, close: (children) => children });
    this.#all(this.#tokens);
    const isWhole = this.#left > 0;
    while (this.#frames.length > 1) this.#close();
    const footnotes = this.#footnotes.render();
    const body = footnotes === undefined ? root : [root, footnotes];
    return { body, isWhole, elements: this.#context.elementsMax - Math.max(0, this.#left) };
  }

  #all(tokens: readonly Token[]): void {
    for (let at = 0; at < tokens.length && this.#left > 0; at++) {
      const token = tokens[at] as Token;
      if (token.nesting >= 0 && token.type !== 'inline') this.#left--;
      if (token.type === 'inline') this.#all(token.children ?? []);
      else if (token.nesting > 0) this.#open(token, tokens[at + 1]);
      else if (token.nesting < 0) this.#close();
      else this.#add(this.#leaf(token));
    }
  }

  #add(child: ComponentChild): void {
    this.#frames.at(-1)?.children.push(child);
  }

  #open(token: Token, next: Token | undefined): void {
    this.#frames.push({ token, children: [], close: this.#closing(token, next) });
  }

  #close(): void {
    // A token that closes nothing cannot come; the root stays in any case.
    const frame = this.#frames.length > 1 ? this.#frames.pop() : undefined;
    if (frame !== undefined) this.#add(frame.close(frame.children));
  }

  /** What is to be made of an opened token once its content is there. */
  #closing(token: Token, next: Token | undefined): Frame['close'] {
    const simple = simpleElements.get(token.type);
    if (simple !== undefined) return (children) => element(simple, {}, children);
    switch (token.type) {
      case 'paragraph_open': {
        if (token.hidden) return (children) => children;
        const hasBlocks = next?.children?.some((child) => this.#embedsNote(child)) ?? false;
        const id = this.#id(token);
        return (children) =>
          hasBlocks
            ? element('div', { id, class: 'paragraph', dir: 'auto' }, children)
            : element('p', { id, dir: 'auto' }, children);
      }
      case 'heading_open': {
        const level = Number(token.tag.slice(1));
        // The page has its own heading of the first level: the name of the note.
        const tag = `h${Math.max(2, level)}` as 'h2';
        const attributes = { id: this.#id(token), class: `level-${level}`, dir: 'auto' };
        return this.#title((children) => element(tag, attributes, children));
      }
      case 'bullet_list_open': {
        const id = this.#id(token);
        return (children) => element('ul', { id }, children);
      }
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        const id = this.#id(token);
        return (children) => element('ol', { id, start }, children);
      }
      case 'list_item_open': {
        const id = this.#id(token);
        return (children) => renderListItem(token, id, children);
      }
      case 'blockquote_open': {
        const id = this.#id(token);
        return (children) => renderQuote(token, id, children);
      }
      case 'callout_title_open': {
        const quote = this.#frames.at(-1)?.token;
        return this.#title((children) => renderCalloutTitle(quote, children));
      }
      case 'table_open': {
        const id = this.#id(token);
        return (children) =>
          element('div', { id, class: 'wide', tabIndex: 0 }, element('table', {}, children));
      }
      case 'th_open':
        return this.#title((children) => element('th', cellAttributes(token), children));
      case 'td_open':
        return (children) => element('td', cellAttributes(token), children);
      case 'link_open':
        return this.#link(token);
      case 'footnote_open':
        return (children) => this.#footnotes.define(token.content, children);
      case 'footnote_inline_open':
        return (children) => this.#footnotes.inPlace(children);
      default:
        return (children) => children;
    }
  }

  /** What a token without content of its own becomes. Whatever is not known stays text. */
  #leaf(token: Token): ComponentChild {
    const { content, type } = token;
    switch (type) {
      case 'softbreak':
      case 'hardbreak':
        return element('br', {});
      case 'hr':
        return element('hr', {});
      case 'code_inline':
        if (this.#linkText !== undefined) this.#linkText += content;
        return element('code', {}, this.#said(content));
      case 'fence': {
        const { Block } = this.#context;
        const isBase = Block !== undefined && /^\s*base\s*$/.test(token.info);
        if (isBase && this.#embeds++ < consoleNoteLimits.embedsMax) {
          return element('div', { id: this.#id(token) }, h(Block, { text: content }));
        }
        return renderCode(token, this.#id(token), this.#said(content.replace(/\n$/, '')));
      }
      case 'code_block':
        return renderCode(token, this.#id(token), this.#said(content.replace(/\n$/, '')));
      case 'math':
        if (this.#linkText !== undefined) this.#linkText += content;
        return element('code', { class: 'math' }, this.#said(content));
      case 'math_block':
        return element(
          'pre',
          { id: this.#id(token), class: 'math', tabIndex: 0 },
          this.#said(content),
        );
      case 'image':
        return this.#image(token);
      case 'wikilink':
        return this.#wikilink(linkIn(token));
      case 'tag': {
        if (this.#linkText !== undefined) return this.#text(content);
        const href = searchAddress({ vault: this.#context.vault, query: `tag:${content}` });
        return element('a', { class: 'tag', href }, content);
      }
      case 'footnote_reference':
        return this.#footnotes.reference(content) ?? this.#text(`[^${content}]`);
      case 'address':
        return this.#address(content, content);
      case 'plain':
        return element('span', { class: 'plain' }, this.#said(content));
      default:
        return this.#text(content);
    }
  }

  #text(text: string): ComponentChild {
    if (this.#linkText !== undefined) {
      this.#linkText += text;
      return this.#said(text);
    }
    return splitAddresses(text).map(({ text: piece, address }) =>
      address === undefined ? this.#said(piece) : this.#address(address, piece),
    );
  }

  /** An address in the text; one that cannot be opened stays text. */
  #address(address: string, text: string): ComponentChild {
    const target = webTarget(address);
    return target.kind === 'web' ? this.#linkTo(target, text) : this.#said(text);
  }

  /** Text with its highlighted words, which count as elements. */
  #said(text: string): ComponentChild {
    const said = renderText(text, this.#context.marks);
    this.#left -= said.length - 1;
    return said;
  }

  #id(token: Token): string | undefined {
    const id = token.map === null ? undefined : this.#context.anchors.get(token.map[0]);
    if (id === undefined || this.#ids.has(id)) return undefined;
    this.#ids.add(id);
    return id;
  }

  /** Something that may hold text alone. */
  #title(close: Frame['close']): Frame['close'] {
    this.#titles++;
    return (children) => {
      this.#titles--;
      return close(children);
    };
  }

  #link(token: Token): Frame['close'] {
    const written = String(token.attrGet('href') ?? '');
    const target = targetOfDestination(written, this.#context.note.targets);
    this.#linkText = '';
    return (children) => {
      const text = this.#linkText ?? '';
      this.#linkText = undefined;
      return renderLink(target, { vault: this.#context.vault, children, text, written });
    };
  }

  /** A link with a text; inside another link only the text. */
  #linkTo(target: LinkTarget, text: string, written?: string): ComponentChild {
    if (this.#linkText !== undefined) return this.#text(text);
    const { vault } = this.#context;
    const children = this.#said(text);
    return renderLink(target, {
      vault,
      children,
      text,
      ...(written === undefined ? {} : { written }),
    });
  }

  #wikilink(link: Link): ComponentChild {
    const target = targetOfLink(link.link, this.#context.note.targets);
    if (!link.embed || target.kind !== 'file') return this.#linkTo(target, link.displayText);
    return this.#embed(target, link.displayRange === undefined ? '' : link.displayText);
  }

  #image(token: Token): ComponentChild {
    const written = String(token.attrGet('src') ?? '');
    const target = targetOfDestination(written, this.#context.note.targets);
    if (target.kind === 'file') return this.#embed(target, token.content);
    const alt = token.content;
    const text = target.kind === 'web' ? words.remotePicture(alt) : alt || written;
    return this.#linkTo(target, text, written);
  }

  /** A picture, an embedded note, or a link to any other file. */
  #embed(target: Extract<LinkTarget, { kind: 'file' }>, alias: string): ComponentChild {
    const { Embed, Picture } = this.#context;
    const { path, subpath } = target;
    const props: EmbedProps = { path, subpath, alias };
    if (isPicture(path) && this.#pictures++ < consoleNoteLimits.picturesMax) {
      return h(Picture, { key: path, ...props });
    }
    const isAlone = this.#linkText === undefined && this.#titles === 0;
    if (isAlone && isDrawn(path) && this.#embeds++ < consoleNoteLimits.embedsMax)
      return h(Embed, { key: path + subpath, ...props });
    return this.#linkTo(target, alias || path);
  }

  /** Whether a token becomes an embedded note, which no paragraph may hold. */
  #embedsNote(token: Token): boolean {
    const { targets } = this.#context.note;
    if (token.type === 'image') {
      const target = targetOfDestination(String(token.attrGet('src') ?? ''), targets);
      return target.kind === 'file' && isDrawn(target.path);
    }
    if (token.type !== 'wikilink' || !linkIn(token).embed) return false;
    const target = targetOfLink(linkIn(token).link, targets);
    return target.kind === 'file' && isDrawn(target.path);
  }
}

/** Tokens that become an element without attributes. */
const simpleElements = new Map<string, 'strong' | 'em' | 'del' | 'mark' | 'thead' | 'tbody' | 'tr'>(
  [
    ['strong_open', 'strong'],
    ['em_open', 'em'],
    ['s_open', 'del'],
    ['mark_open', 'mark'],
    ['thead_open', 'thead'],
    ['tbody_open', 'tbody'],
    ['tr_open', 'tr'],
  ],
);

function linkIn(token: Token): Link {
  return (token.meta as unknown as { link: Link }).link;
}

/** Whether a file can be drawn inside a note. */
function isDrawn(path: string): boolean {
  return /\.(?:md|canvas|base)$/i.test(path);
}
