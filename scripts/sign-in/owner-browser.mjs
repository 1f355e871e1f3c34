import { get } from 'node:http';
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
   * answer. The browser goes where the answer leads only if asked to (`goes`). If
   * a program waits there (`follows`), this process brings it the answer, and the browser does not even
   * get the page that leads there: Chromium would open a connection in advance and leave it unused, and
   * mcp-remote and the Inspector then wait up to a minute until they can close their own server.
   */
  async answer(url, choices = {}) {
    const { page, left } = await this.open(url, { follows: choices.goes });
    try {
      await choices.look?.(page);
      if (choices.goes) {
        await allow(page, choices);
        await page.waitForURL((to) => to.origin !== this.site, { waitUntil: 'commit' });
        return left[0];
      }
      if (choices.follows) {
        const answered = heldBack(page);
        await allow(page, choices);
        const link = await answered;
        bring(link);
        return link;
      }
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

/**
 * Holds back the page that answers the owner's form: the browser gets an empty one. Resolves to the
 * address to which the page leads.
 */
function heldBack(page) {
  return new Promise((resolve, reject) => {
    const isForm = (to) => /\/authorize\/[\w-]+$/.test(to.pathname);
    page.route(isForm, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const text = await (await route.fetch()).text();
      await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Done</title>' });
      const [, link] = /<a [^>]*href="([^"]+)"[^>]*>\s*Back to/.exec(text) ?? [];
      if (link === undefined) reject(new Error(`The form was not accepted:\n${text}`));
      else resolve(link.replaceAll('&amp;', '&'));
    });
  });
}

/** Brings a program its answer, on a connection of its own. Some of them answer late, so nobody waits. */
function bring(link) {
  get(link, { agent: false }, (answer) => answer.resume()).on('error', () => undefined);
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
