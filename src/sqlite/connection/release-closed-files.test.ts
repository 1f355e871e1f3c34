import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { Connection } from './connection.ts';
import { openDatabase } from './open-database.ts';
import { releaseClosedFiles } from './release-closed-files.ts';

it.runIf(process.platform === 'linux')(
  'the file of a closed connection is released, whatever was asked before',
  async () => {
    const file = join(tempFolder(), 'a.db');
    await use(file);
    await releaseClosedFiles();
    expect(openFiles()).not.toContain(file);
  },
);

/** A function of its own, so that nothing refers to the connection afterwards. */
async function use(file: string): Promise<void> {
  const connection = new Connection(await openDatabase(file));
  connection.exec('CREATE TABLE t (n)');
  connection.insert('t', { n: '?' }, [1, 2]);
  expect(connection.all('SELECT n FROM t')).toHaveLength(2);
  expect(openFiles()).toContain(file);
  connection.close();
}

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)];
    } catch {
      return []; // That of the folder itself.
    }
  });
}
