import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { repository } from '../outside-programs.mjs';

/** Serves a vault with the built program. Returns the link to its console, and how to stop it. */
export async function serveVault(vault, { env, flags = [] }) {
  const program = join(repository, 'dist', 'vaultdoor.js');
  const words = [program, 'serve', '--vault', vault, '--port', '0', ...flags];
  const server = spawn(process.execPath, words, { env });
  const stop = () => server.kill();
  process.on('exit', stop);
  const link = await new Promise((resolve, reject) => {
    let text = '';
    const read = (part) => {
      text += part;
      const found = /http:\/\/localhost:\d+\/c\/enter#k=[\w-]+/.exec(text);
      if (found !== null) resolve(found[0]);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', () => reject(new Error(text)));
  });
  return { link, origin: new URL(link).origin, stop };
}
