import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { repository } from '../outside-programs.mjs';

/** A name and texts that would run on a careless page. */
export const evilName = '<img src=x onerror=alert(1)> \u202e';

/**
 * Makes a vault that has every kind of problem that Health shows, and its original texts. It is the
 * example vault with conflict copies, broken properties and links, files that are not here, or that
 * cannot be read, and many orphans.
 */
export function makeTroubledVault(vault) {
  rmSync(vault, { recursive: true, force: true });
  cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
  const put = (path, text) => {
    mkdirSync(join(vault, path, '..'), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  const log = (first, second) =>
    `# Log\r\n\r\n${first}\r\n\r\nsame line\r\n\r\n${second}\r\n\r\nend, without a line end`;
  put('Log.md', log('rain on Monday', 'the river rose by two feet'));
  put(
    'Log.sync-conflict-20260901-123000-ABCDEFG.md',
    log('rain on Tuesday', 'the river rose by three feet <script>alert(1)</script> \u202e'),
  );
  put('Board.canvas', '{"nodes":[]}\n');
  put('Board.sync-conflict-20260901-123000-ABCDEFG.canvas', '{"nodes":[],"edges":[]}\n');
  put('Twin.md', '# Twin\n');
  put('Twin (conflicted copy 2026-09-01).md', '# Twin\n');
  put(`${evilName}.md`, '---\ntags: [\n---\n[[<b>nowhere</b>]]\n');
  put('Broken.md', '---\nowner: "\n---\ntext\n');
  put('.Far away.md.icloud', 'a placeholder');
  put('back\\slash.md', 'no such name\n');
  symlinkSync('/etc', join(vault, 'Outside'));
  put('.obsidian/app.json', '{ "newLinkFormat": ');
  for (let number = 1; number <= 120; number++) {
    put(`Many/Lonely ${String(number).padStart(3, '0')}.md`, `${'x'.repeat(number * 40)}\n`);
  }
}

/** Every file of the vault with its bytes. */
export function filesOf(vault) {
  const files = readdirSync(vault, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}
