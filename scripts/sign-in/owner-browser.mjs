import { until } from '../outside-programs.mjs';

/** The owner in front of a browser: signs in, and answers programs that ask to come in. */
export class OwnerBrowser {
  constructor({ context, site, passphrase }) {
    this.context = context;
    this.site = site;
    this.passphrase = passphrase;
  }

  /** Signs in at `/owner`, and resolves to the page. */
  async signIn() {
    const page = await this.context.newPage();
    await page.goto(`${this.site}/owner`);
    const signOut = page.getByRole('button', { name: 'Sign out' });
    if (!(await signOut.isVisible())) await this.pass(page);
    await signOut.waitFor();
    return page;
  }

  /** Types the passphrase where the page asks for it, and waits for the page that follows. */
  async pass(page) {
    await page.locator('main input[name=passphrase]').fill(this.passphrase);
    await Promise.all([
      page.waitForEvent('framenavigated'),
      page.locator('main input[name=passphrase]').press('Enter'),
    ]);
    await page.waitForLoadState();
  }

  /**
   * Opens the address to which a program sends its user, and answers. Resolves to the address of the
   * answer. Nothing but the server itself is asked: the browser does not go where the answer leads,
   * unless the program that waits there is to be reached (`follows`).
   */
  async answer(url, choices = {}) {
    if (choices.follows) return this.#bring(url, choices);
    const { page, left } = await this.open(url);
    try {
      await choices.look?.(page);
      await allow(page, choices);
      const link = await page.getByRole('link', { name: /^Back to/ }).getAttribute('href');
      // A link with a scheme of an app makes no request that could be seen.
      if (/^https?:/.test(link)) {
        await until(
          () => left.includes(new URL(link).href),
          () => JSON.stringify({ link, left }),
        );
      }
      return link;
    } finally {
      await page.close();
    }
  }

  /**
   * Answers, and lets the browser bring the answer to the program. This is done in a context of its
   * own, which is closed as soon as the answer has arrived: Chromium opens a second connection in
   * advance and leaves it unused, and the Inspector, which waits for all connections to end before it
   * goes on, would stand still for up to a minute.
   */
  async #bring(url, choices) {
    const storageState = await this.context.storageState();
    const context = await this.context.browser().newContext({ storageState });
    try {
      const own = new OwnerBrowser({ ...this, context });
      const { page, left } = await own.open(url, { follows: true });
      await allow(page, choices);
      await page.waitForURL((to) => to.origin !== this.site, { waitUntil: 'commit' });
      return left[0];
    } finally {
      await context.close();
    }
  }

  /**
   * Opens an address, and signs in if that is asked for. `left` gets every address that the page goes
   * to outside of the server.
   */
  async open(url, { follows = false } = {}) {
    const page = await this.context.newPage();
    const left = [];
    await page.route(
      (to) => to.origin !== this.site,
      (route) => {
        left.push(route.request().url());
        // A browser whose way is cut off like this stays on the page where it is.
        return follows ? route.continue() : route.abort('aborted');
      },
    );
    await page.goto(String(url));
    const asks = page.locator('button[name=answer]').first();
    if (!(await asks.isVisible()) && (await page.locator('main input[name=passphrase]').count())) {
      await this.pass(page);
    }
    return { page, left };
  }
}

/** Answers the question of the consent page. What `choices` does not name stays as the page has it. */
export async function allow(page, { rights, folders, tools, days, grant, answer = 'allow' } = {}) {
  await page.locator(`button[name=answer][value=${answer}]`).waitFor();
  if (rights !== undefined) await choose(page, 'rights', rights);
  // The page asks this only about a program that is connected already.
  const isKnown = (await page.locator('[name=grant]').count()) > 0;
  if (grant !== undefined && isKnown) await choose(page, 'grant', grant);
  if (folders !== undefined) {
    await choose(page, 'where', 'folders');
    const fields = page.locator('input[name=folder]:not([type=checkbox])');
    for (const [i, folder] of folders.entries()) await fields.nth(i).fill(folder);
  }
  if (tools !== undefined) {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const box of await page.locator('input[name=tools]').all()) {
      await box.setChecked(tools.includes(await box.getAttribute('value')), { force: true });
    }
  }
  if (days !== undefined) await choose(page, 'days', days);
  // The page that follows leads on at once. To wait for where it leads would be to wait for ever.
  await page.locator(`button[name=answer][value=${answer}]`).click({ noWaitAfter: true });
}

async function choose(page, name, value) {
  const list = page.locator(`select[name=${name}]`);
  if ((await list.count()) > 0) await list.selectOption(value);
  else await page.locator(`input[name=${name}][value="${value}"]`).check({ force: true });
}
