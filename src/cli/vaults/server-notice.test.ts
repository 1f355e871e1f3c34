import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { serverNotice } from './server-notice.ts';

const logger = { log: () => undefined };

function open(command: string, currentFolder: string, env: Record<string, string> = {}) {
  return serverNotice({ env, currentFolder }, { notify: { command } }, logger);
}

it('is absent where no way is given', () => {
  expect(serverNotice({ env: {}, currentFolder: '/' }, {}, logger)).toBeUndefined();
});

it.skipIf(process.platform === 'win32')('takes a program by its path or by its name', () => {
  const folder = tempFolder({ 'bin/tell': '#!/bin/sh\n', 'bin/plain': '' });
  chmodSync(join(folder, 'bin/tell'), 0o755);
  expect(open('bin/tell', folder)).toBeDefined();
  expect(open(join(folder, 'bin/tell'), '/')).toBeDefined();
  expect(open('tell', '/', { PATH: join(folder, 'bin') })).toBeDefined();
  for (const wrong of ['tell', 'bin/plain', 'bin/none', 'bin', 'bin/tell --now']) {
    expect(() => open(wrong, folder, { PATH: '/usr/bin' })).toThrow(
      expect.objectContaining({ code: 'not_found', message: expect.stringContaining(wrong) }),
    );
  }
});
