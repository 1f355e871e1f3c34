import { expect, test } from 'vitest';
import { hasMountsInside } from './drive-kind.ts';

const list = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:40 / /home/me/Vault rw shared:9 - ext4 /dev/sdb1 rw
41 40 0:41 / /home/me/Vault/My\\040Drive rw - fuse.rclone remote: rw
42 22 0:42 / /srv/plain rw - nfs4 server:/export rw
`;

test.each([
  ['/home/me/Vault', true],
  ['/home/me', true],
  ['/home/me/Vault/My Drive', false],
  ['/home/me/Vault/My', false],
  ['/home/me/Vault/Notes', false],
  ['/srv/plain', false],
  ['/', true],
])('whether something is mounted in %s: %s', (folder, expected) => {
  expect(hasMountsInside(folder, () => list)).toBe(expected);
});

test('without a list nothing is known to be', () => {
  const unreadable = (): string => {
    throw new Error('no list here');
  };
  expect(hasMountsInside('/home/me', unreadable)).toBe(false);
});
