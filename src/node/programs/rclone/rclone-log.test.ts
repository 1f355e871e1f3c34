import { expect, it } from 'vitest';
import { RcloneLog, remoteSecrets } from './rclone-log.ts';

it.each([
  ['copy:vault', []],
  ['/srv/copy', []],
  [':sftp,host=example.com,pass=hidden:vault', ['hidden']],
  [':webdav,url="http://u:p@x:1/",pass="hid,den:""x""":vault', ['hid,den:"x"']],
  [":s3,secret_access_key='it''s',access_key_id=abc:vault", ["it's", 'abc']],
])('of the remote %j are secret: %j', (remote, secrets) => {
  expect(remoteSecrets(remote)).toEqual(secrets);
});

it.each([
  ['in quotes', 'No "copy,a=\\"b\\":x" here', 'No "the remote" here'],
  ['as it is', 'No copy,a="b":x here', 'No the remote here'],
  ['a password in an address', 'Get "https://u:p@ss@example.com/x"', 'Get "https://example.com/x"'],
])('what must not be said is not: %s', (_name, msg, shown) => {
  const log = new RcloneLog(() => undefined);
  log.read(new TextEncoder().encode(`${JSON.stringify({ level: 'error', msg })}\n`));
  expect(log.said(new Map([['copy,a="b":x', 'the remote']]))).toBe(shown);
});
