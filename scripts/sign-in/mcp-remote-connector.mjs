import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { newerNode } from '../outside-programs.mjs';
import { packageOf } from './packages.mjs';

const visit = /Please authorize this client by visiting:\s+(https:\S+)/g;

/** mcp-remote, started as a program of its own: what a client without HTTP talks through. */
export class McpRemoteConnector {
  said = '';
  #answered = 0;

  constructor({ url, owner, choices, env, home, port, more = [] }) {
    this.url = url;
    this.owner = owner;
    this.choices = { ...choices, follows: true };
    mkdirSync(home, { recursive: true });
    this.env = { ...env, HOME: home };
    this.more = [String(port), '--auth-timeout', '20', ...more];
  }

  async signIn() {
    const modules = await packageOf('mcp-remote');
    const program = join(modules, 'mcp-remote', 'dist', 'proxy.js');
    const args = [program, this.url, ...this.more];
    const transport = new StdioClientTransport({
      command: await newerNode(),
      args,
      env: this.env,
      stderr: 'pipe',
    });
    transport.stderr.on('data', (text) => {
      this.said += text;
      this.#answer();
    });
    this.client = new Client({ name: 'behind-mcp-remote', version: '1' });
    await this.client.connect(transport, { timeout: 60_000 }).catch((error) => {
      throw new Error(`${error}\n${this.said}`);
    });
  }

  /** Opens every address that mcp-remote asks its user to visit. */
  #answer() {
    const urls = Array.from(this.said.matchAll(visit), ([, url]) => url);
    for (; this.#answered < urls.length; this.#answered++) {
      this.owner.answer(urls[this.#answered], this.choices).catch((error) => {
        this.said += `\nThe owner could not answer: ${error}\n`;
      });
    }
  }

  get asked() {
    return this.#answered;
  }

  async call() {
    const request = { name: 'read_note', arguments: { name: 'Home' } };
    const answer = await this.client.callTool(request, { timeout: 60_000 });
    const text = answer.content.map((piece) => piece.text ?? '').join('');
    if (answer.isError === true) throw new Error(text);
    return text;
  }

  /**
   * Four calls, a few milliseconds apart. mcp-remote 0.15.1 names its temporary files by the
   * millisecond: if two refreshes are answered in the same one, it cannot keep the tokens, and signs
   * in again. That is no fault of the server, so the calls are repeated then.
   */
  async four() {
    const call = async (i) => {
      await new Promise((resolve) => setTimeout(resolve, 7 * i));
      return this.call();
    };
    const calls = () => Promise.all([1, 2, 3, 4].map(call));
    try {
      return await calls();
    } catch (error) {
      if (!this.said.includes('Error writing ')) throw new Error(`${error}\n${this.said}`);
      process.stdout.write('mcp-remote could not keep its tokens\n');
      return calls();
    }
  }

  /** After the connection was revoked: whether the next call leads to the owner, who lets it in. */
  async isOut() {
    const before = this.#answered;
    await this.call();
    const asked = this.#answered - before;
    return asked === 1 ? undefined : { asked, said: this.said };
  }

  /** It has signed in again already. */
  again() {
    return undefined;
  }

  async stop() {
    await this.client?.close();
  }
}
