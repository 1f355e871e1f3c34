import { gzipSync } from 'node:zlib';

/** What is used of playwright-core, which is installed when it is needed. */
interface Chromium {
  newContext(): Promise<Context>;
  close(): Promise<void>;
}
interface Context {
  newPage(): Promise<Page>;
  addCookies(cookies: readonly object[]): Promise<void>;
  cookies(): Promise<readonly object[]>;
  addInitScript(script: { readonly content: string }): Promise<void>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
  on(event: 'response', heard: (response: PageResponse) => void): void;
}
interface PageResponse {
  url(): string;
  body(): Promise<Uint8Array>;
}

/** A page that is open. */
interface OpenPage {
  /** When it could be read, in milliseconds after it was asked for. */
  readonly shownMs: number;
  /** Loads it again, with what the browser has kept of it; answers the same. */
  again(): Promise<number>;
  close(): Promise<void>;
}

/** A Chromium in which the owner has signed in to the console. */
export class ConsoleBrowser {
  readonly #chromium: Chromium;
  #cookies: readonly object[] = [];
  #key = '';

  private constructor(chromium: Chromium) {
    this.#chromium = chromium;
  }

  static async start(): Promise<ConsoleBrowser> {
    const url = new URL('../scripts/look-at-page.mjs', import.meta.url).href;
    const { startChromium } = (await import(url)) as { startChromium: () => Promise<Chromium> };
    return new ConsoleBrowser(await startChromium());
  }

  /** Opens the console with a link, and keeps both halves of the sign-in for other pages. */
  async enter(link: string): Promise<void> {
    const context = await this.#chromium.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.waitForSelector('.change');
    this.#cookies = await context.cookies();
    this.#key = String(await page.evaluate(`sessionStorage.getItem('vaultdoor-console')`));
    await context.close();
  }

  /** Opens a page with an empty cache, and waits until it shows `selector`. */
  async openPage(url: string, selector: string): Promise<OpenPage> {
    const { context, page } = await this.#context(selector);
    const load = async (): Promise<number> => {
      await page.goto(url);
      return Number(await page.evaluate('shown'));
    };
    return { shownMs: await load(), again: load, close: () => context.close() };
  }

  /**
   * The bytes of what a page loads before it shows `selector`: its files as the package has them,
   * compressed, and the answers of the server, which are not.
   */
  async bytesOf(url: string, selector: string): Promise<{ compressed: number; answers: number }> {
    const { context, page } = await this.#context(selector);
    const responses: PageResponse[] = [];
    page.on('response', (response) => {
      // The stream of events does not end.
      if (!response.url().includes('/c/api/events')) responses.push(response);
    });
    await page.goto(url);
    await page.evaluate('shown');
    const sizes = { compressed: 0, answers: 0 };
    for (const response of responses) {
      const body = await response.body();
      if (response.url().includes('/c/api/')) sizes.answers += body.length;
      else sizes.compressed += gzipSync(body, { level: 9 }).length;
    }
    await context.close();
    return sizes;
  }

  async end(): Promise<void> {
    await this.#chromium.close();
  }

  /** A page with a cache of its own, in which the promise `shown` says when it shows `selector`. */
  async #context(selector: string): Promise<{ context: Context; page: Page }> {
    const context = await this.#chromium.newContext();
    await context.addCookies(this.#cookies);
    const content = `
      sessionStorage.setItem('vaultdoor-console', ${JSON.stringify(this.#key)});
      globalThis.shown = new Promise((resolve) => {
        const look = () => {
          const isThere = document.querySelector(${JSON.stringify(selector)}) !== null;
          requestAnimationFrame(isThere ? () => resolve(performance.now()) : look);
        };
        look();
      });`;
    await context.addInitScript({ content });
    return { context, page: await context.newPage() };
  }
}
