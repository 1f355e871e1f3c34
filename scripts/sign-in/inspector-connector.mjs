import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newerNode, startProgram, until } from '../outside-programs.mjs';
import { packageOf } from './packages.mjs';

/**
 * The Inspector's command line. It keeps its tokens in a file between two runs. Its `--relogin` is of no
 * use here: version 2.12.0 does not store what it needs to revoke a token, and skips that silently.
 */
export class InspectorConnector {
  asked = 0;

  constructor({ url, owner, choices, env, home, more = [] }) {
    this.url = url;
    this.owner = owner;
    this.choices = { ...choices, follows: true };
    mkdirSync(home, { recursive: true });
    const secrets = { MCP_INSPECTOR_SECRET_STORE: 'file', MCP_AUTO_OPEN_ENABLED: 'true' };
    this.env = { ...env, HOME: home, ...secrets };
    this.more = more;
  }

  /**
   * Runs it. Seldom, one gets no answer to `logging/setLevel`, for a reason that is not known: then
   * that is said, and another one is started.
   */
  async #run(...more) {
    try {
      return await this.#runOnce(30, ...more);
    } catch (error) {
      if (!String(error).includes('This took too long')) throw error;
      console.log('-- Inspector: no answer within 30 s; it is started again');
      return this.#runOnce(60, ...more);
    }
  }

  async #runOnce(seconds, ...more) {
    const modules = await packageOf('@modelcontextprotocol/inspector');
    const program = join(modules, '.bin', 'mcp-inspector');
    const words = ['--method', 'tools/call', '--tool-name', 'read_note', '--tool-arg', 'name=Home'];
    const patience = ['--connect-timeout', '60000']; // For a machine that does much else.
    const args = [program, '--cli', this.url, ...words, ...patience, ...this.more, ...more];
    const inspector = startProgram([await newerNode(), ...args], this.env);
    const { seen } = inspector;
    let isOver = false;
    inspector.ended.then(() => {
      isOver = true;
    });
    const asks = () => /https:\/\/\S+\/authorize\?\S+/.exec(seen.stderr + seen.stdout)?.[0];
    await until(
      () => isOver || asks() !== undefined,
      () => seen.stderr,
      seconds,
    );
    if (asks() !== undefined) {
      this.asked++;
      await this.owner.answer(asks(), this.choices);
    }
    const code = await inspector.ended;
    if (code !== 0) throw new Error(`Inspector ended with ${code}: ${seen.stderr}${seen.stdout}`);
    return seen.stdout;
  }

  async signIn() {
    this.first = await this.#run();
  }

  call() {
    return this.#run();
  }

  /** Four Inspectors at the same moment, with one store. */
  four() {
    return Promise.all([1, 2, 3, 4].map(() => this.#run('--stored-auth-only')));
  }

  /** After the connection was revoked: whether its tokens, also when refreshed, are refused. */
  async isOut() {
    const outcome = await this.#run('--stored-auth-only').catch((error) => String(error));
    return outcome.includes('auth_required') ? undefined : outcome;
  }

  async again() {
    const before = this.asked;
    await this.#run();
    if (this.asked === before) throw new Error('The owner was not asked.');
  }

  stop() {
    return undefined;
  }
}
