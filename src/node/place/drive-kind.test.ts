import { expect, test } from 'vitest';
import { answersAtOnce, fileSystemType, givesFileEvents } from './drive-kind.ts';

const ext4 = (): number => 0xef53;
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
  const looks = { typeOf: ext4, listMounts: () => list };
  expect(answersAtOnce(folder, 'linux', looks)).toBe(!expected);
});

test.each([
  ['/home/me/Vault', 'ext4'],
  ['/home/me/Vault/My Drive/Notes', 'fuse.rclone'],
  ['/home/me/Vault/My Driveway', 'ext4'],
  ['/srv/plain', 'nfs4'],
  ['/var', 'ext4'],
])('the file system of %s is %s', (folder, expected) => {
  expect(fileSystemType(folder, { listMounts: () => list })).toBe(expected);
});

test('without a list nothing is known to be', () => {
  const unreadable = (): string => {
    throw new Error('no list here');
  };
  expect(answersAtOnce('/home/me', 'linux', { typeOf: ext4, listMounts: unreadable })).toBe(true);
});

test.each([
  ['ext4', 0xef53, 'linux', true],
  ['NFS', 0x6969, 'linux', false],
  ['CIFS', 0xff534d42, 'linux', false],
  ['CIFS, signed', 0xff534d42 | 0, 'linux', false],
  ['9p', 0x01021997, 'linux', false],
  ['FUSE', 0x65735546, 'linux', false],
  ['a number that means nothing on macOS', 0x6969, 'darwin', true],
] as const)('whether a file system tells of changes: %s', (_, type, platform, expected) => {
  expect(givesFileEvents('', platform, { typeOf: () => type })).toBe(expected);
});
