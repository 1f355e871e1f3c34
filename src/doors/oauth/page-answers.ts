import { messagePage } from '../../oauth/pages/message-page.ts';
import { pageStyle } from '../../oauth/pages/style.ts';
import type { OAuthCrypto } from '../../oauth/ports/oauth-crypto.ts';

interface PageOptions {
  readonly status?: number;
  /** Whether the page has the script for passkeys. No other page may run one. */
  readonly hasScript?: boolean;
  /** The lines for Set-Cookie. */
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with pages, and with the headers that all of them need. There is no
 * Cross-Origin-Opener-Policy: a client that opened us as a popup would lose its window.
 * `Referrer-Policy` is not `no-referrer`: forms would then be posted with `Origin: null`.
 */
export class PageAnswers {
  readonly #styleHash: string;

  constructor(crypto: Pick<OAuthCrypto, 'sha256'>) {
    this.#styleHash = Buffer.from(crypto.sha256(pageStyle)).toString('base64');
  }

  /** A page. */
  page(html: string, options: PageOptions = {}): Response {
    const { status = 200, hasScript = false } = options;
    const script = hasScript ? "script-src 'self'; connect-src 'self'; " : '';
    const headers = this.#headers(options);
    headers.set('Content-Type', 'text/html; charset=utf-8');
    headers.set(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${this.#styleHash}'; ${script}form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
    headers.set('X-Frame-Options', 'DENY');
    return new Response(html, { status, headers });
  }

  /** A page that says one thing. */
  message(
    view: { readonly title: string; readonly text: string; readonly more?: readonly string[] },
    options: PageOptions = {},
  ): Response {
    return this.page(messagePage(view), options);
  }

  /**
   * Leads the browser to another address with GET, whatever the method was: a 307 would send a
   * passphrase again.
   */
  lead(to: string, options: Omit<PageOptions, 'status' | 'hasScript'> = {}): Response {
    const headers = this.#headers(options);
    headers.set('Location', to);
    return new Response(undefined, { status: 303, headers });
  }

  /** JSON for the script of the pages. */
  json(body: object, options: PageOptions = {}): Response {
    const headers = this.#headers(options);
    headers.set('Content-Type', 'application/json');
    return new Response(JSON.stringify(body), { status: options.status ?? 200, headers });
  }

  #headers({ cookies = [], headers: more = {} }: PageOptions): Headers {
    const headers = new Headers(more);
    headers.set('Cache-Control', 'no-store');
    headers.set('Referrer-Policy', 'same-origin');
    headers.set('X-Content-Type-Options', 'nosniff');
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    return headers;
  }
}
