import { request } from 'node:http';

/** A request as a test writes it; Host and Origin are those of the page unless given. */
export interface Sent {
  readonly method?: string;
  readonly host?: string;
  /** An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with exactly these headers, which `fetch` would not. */
export function send(
  url: string,
  { method = 'GET', host, headers = {}, body }: Sent,
): Promise<Got> {
  const { hostname, port, pathname, search } = new URL(url);
  const all = Object.entries({ host: host ?? `${hostname}:${port}`, ...headers });
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        path: `${pathname}${search}`,
        method,
        headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The owner's browser with an open console: it keeps the cookie and the key. */
export class ConsoleBrowser {
  readonly base: string;
  cookie = '';
  key = '';

  constructor(base: string) {
    this.base = base;
  }

  /** Opens a console by its link. */
  static async enter(link: string): Promise<ConsoleBrowser> {
    const url = new URL(link);
    const browser = new ConsoleBrowser(url.origin);
    const body = { key: url.hash.replace('#k=', '') };
    const { status, headers, text } = await browser.send('/enter', { method: 'POST', body });
    if (status !== 200) throw new Error(`not entered: ${status} ${text}`);
    browser.cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    browser.key = (JSON.parse(text) as { key: string }).key;
    return browser;
  }

  /** Sends a request as the page does. */
  send(path: string, sent: Sent = {}): Promise<Got> {
    const { method = 'GET', headers = {} } = sent;
    return send(`${this.base}/c/api${path}`, {
      ...sent,
      headers: {
        ...(this.cookie === '' ? {} : { cookie: this.cookie, 'x-vaultdoor-console': this.key }),
        'sec-fetch-site': 'same-origin',
        ...(method === 'GET' ? {} : { origin: this.base, 'content-type': 'application/json' }),
        ...headers,
      },
    });
  }

  async json<T>(path: string, sent: Sent = {}): Promise<T> {
    const { status, text } = await this.send(path, sent);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Listens for events until one fits, and answers all that came before. */
  async eventsUntil(fits: (events: string) => boolean): Promise<string> {
    const headers = { cookie: this.cookie, 'x-vaultdoor-console': this.key };
    const response = await fetch(`${this.base}/c/api/events`, { headers });
    let events = '';
    for await (const piece of response.body ?? []) {
      events += Buffer.from(piece).toString();
      if (fits(events)) break;
    }
    return events;
  }
}

/** The link to the console in what a program has printed. */
export function linkIn(stdout: string): string {
  return /http:\/\/localhost:\d+\/c\/enter#k=[\w-]{43}/.exec(stdout)?.[0] ?? '';
}
