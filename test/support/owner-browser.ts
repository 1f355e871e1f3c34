/** What the owner chooses on the consent page; the rest is as the page proposes it. */
export interface Consent {
  readonly rights?: 'read' | 'propose' | 'change' | 'delete';
  readonly folders?: readonly string[];
  readonly tools?: readonly string[];
  readonly answer?: 'allow' | 'refuse';
  /** The id of the connection to change, or `new`. */
  readonly grant?: string;
  readonly passphrase?: string;
}

/** The owner's browser, as far as signing in needs one: it keeps cookies, and fills in forms. */
export class OwnerBrowser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  readonly #path: string;

  /** `base` is the public address of the server, without `/mcp`; `path` is where its pages begin. */
  constructor(base: string, path = '') {
    this.#origin = new URL(base).origin;
    this.#path = path;
  }

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async get(url: string): Promise<Response> {
    return this.#keep(await fetch(this.#at(url), { headers: this.#headers(), redirect: 'manual' }));
  }

  /** Posts a form as a browser does, from a page of the server itself. */
  async post(url: string, fields: readonly (readonly [string, string])[]): Promise<Response> {
    return this.#keep(
      await fetch(this.#at(url), {
        method: 'POST',
        headers: { ...this.#headers(), origin: this.#origin },
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
        redirect: 'manual',
      }),
    );
  }

  /** Makes the passphrase that of the owner, with the code that the server has printed. */
  setUp(code: string, passphrase: string): Promise<Response> {
    return this.post(`${this.#path}/owner/set-up`, [
      ['code', code],
      ['passphrase', passphrase],
      ['again', passphrase],
    ]);
  }

  /** Opens a page and follows redirects within the server. */
  async open(
    url: string,
  ): Promise<{ readonly url: string; readonly text: string; readonly status: number }> {
    let at = this.#at(url);
    for (let hops = 0; hops < 5; hops++) {
      const response = await this.get(at);
      const location = response.headers.get('location');
      if (location === null)
        return { url: at, text: await response.text(), status: response.status };
      at = new URL(location, at).href;
    }
    throw new Error('There are too many redirects.');
  }

  /** Opens the address that a client sends its user to, decides, and answers where that leads back to. */
  async decide(authorizationUrl: string, consent: Consent = {}): Promise<URL> {
    const { url, text, status } = await this.open(authorizationUrl);
    const word = /name="word" value="([^"]*)"/.exec(text)?.[1];
    if (word === undefined) throw new Error(`This is no consent page (${status}): ${plain(text)}`);
    const { rights = 'change', folders = [], tools = ['notes'], answer = 'allow' } = consent;
    const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? url;
    const response = await this.post(action, [
      ['word', word],
      ['rights', rights],
      ['where', folders.length === 0 ? 'all' : 'folders'],
      ...folders.map((folder) => ['folder', folder] as const),
      ...tools.map((name) => ['tools', name] as const),
      ['days', '90'],
      ...(consent.grant === undefined ? [] : [['grant', consent.grant] as const]),
      ...(consent.passphrase === undefined ? [] : [['passphrase', consent.passphrase] as const]),
      ['answer', answer],
    ]);
    const page = await response.text();
    const back = /http-equiv="refresh" content="0;\s*url=([^"]*)"/i.exec(page)?.[1];
    if (back === undefined) throw new Error(`Consent failed (${response.status}): ${plain(page)}`);
    return new URL(back.replaceAll('&amp;', '&'));
  }

  #at(url: string): string {
    return new URL(url, this.#origin).href;
  }

  #headers(): Record<string, string> {
    return this.#cookies.size === 0 ? {} : { cookie: this.cookies };
  }

  #keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

function plain(page: string): string {
  const [, body = page] = /<body>([\s\S]*)<\/body>/.exec(page) ?? [];
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}
