import { expect } from 'vitest';
import { TestBrowser } from '../../support/sign-in-door.ts';
import { expectPage, stepsSince } from './expected-answers.ts';
import type { SignInServer } from './sign-in-server.ts';

/** What `/authorize` answers: nobody's browser, or the owner's. */
export class ExpectedAuthorize {
  readonly #server: SignInServer;
  readonly #owner: TestBrowser;

  constructor(server: SignInServer, owner: TestBrowser) {
    this.#server = server;
    this.#owner = owner;
  }

  /** Both browsers; what must be refused is refused in both. */
  browsers(): readonly TestBrowser[] {
    return [new TestBrowser(this.#server), this.#owner];
  }

  /** A request of a client that everybody is refused, with a page. */
  async refused(path: string, without: readonly string[] = []): Promise<void> {
    for (const browser of this.browsers()) {
      const steps = stepsSince(this.#server);
      await expectPage(await browser.get(path), { without });
      expect(steps()).toEqual(['authorize: page: 400']);
    }
    expect(this.#server.fetched).toEqual([]);
    expect(await this.#server.grants()).toEqual([]);
  }

  /** A request that the owner is asked about. */
  async asked(path: string): Promise<void> {
    const response = await this.#owner.get(path);
    expect([response.status, await response.text()]).toEqual([303, '']);
    const page = response.headers.get('location') ?? '';
    expect(page).toMatch(/^\/authorize\/[\w-]{22,}$/);
    const text = await (await this.#owner.get(page)).text();
    expect(text).toMatch(/name="answer"[^>]* value="allow"/);
  }
}
