import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import {
  exampleVault,
  repository,
  run,
  serveWords,
  startServer,
  temporaryHome,
  until,
} from '../outside-programs.mjs';

const program = join(repository, 'dist', 'vaultdoor.js');
const clock = new URL('clock.mjs', import.meta.url).href;

/**
 * A built server with a home, a vault and a clock of its own, which listens on a given port. The same
 * server can be stopped and started again.
 */
export class BuiltServer {
  #words;
  #env;
  #clockFile;
  #server;
  #aheadMs = 0;
  /** Everything that the server has written to stderr, over all its starts. */
  log = '';

  constructor({ name, port, publicUrls }) {
    const { home, env } = temporaryHome(name);
    this.name = name;
    this.home = home;
    this.vault = exampleVault(join(home, 'vault'));
    this.url = `${publicUrls[0]}/mcp`;
    this.site = publicUrls[0];
    this.#clockFile = join(home, 'clock');
    writeFileSync(this.#clockFile, '0');
    this.#env = { ...env, CLOCK_FILE: this.#clockFile, NODE_OPTIONS: `--import=${clock}` };
    const urls = publicUrls.flatMap((url) => ['--public-url', url]);
    this.#words = serveWords('--vault', this.vault, ...urls);
    this.#words[this.#words.indexOf('--port') + 1] = String(port);
  }

  /** Starts it. Resolves to what it has printed for the person who started it. */
  async start() {
    this.#server = await startServer(this.#words, this.#env);
    this.#server.child.stderr.on('data', (text) => {
      this.log += text;
    });
    this.log += this.#server.seen.stderr;
    const { seen } = this.#server;
    await until(
      () => seen.stdout.includes('Ctrl-C'),
      () => seen.stdout,
    );
    return seen.stdout;
  }

  /** Stops it, and resolves to its exit code. */
  stop() {
    return this.#server.stop();
  }

  /** Moves the clock of the running server forward. */
  async advance(ms) {
    this.#aheadMs += ms;
    writeFileSync(this.#clockFile, String(this.#aheadMs));
    this.#server.child.kill('SIGUSR2');
    const said = `clock ahead by ${this.#aheadMs}\n`;
    await until(
      () => this.log.includes(said),
      () => this.log,
    );
  }

  /** Runs a command of the same program, at the same time of day, with `input` on its stdin. */
  command(words, input = '', more = {}) {
    return run(process.execPath, [program, ...words], { env: { ...this.#env, ...more }, input });
  }

  /** Everything in the files that the server keeps for itself. */
  kept() {
    const folder = join(this.home, 'state');
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  }
}
