import { expect, it } from 'vitest';
import { RefusalLog } from './refusal-log.ts';

it('tells each kind of refusal once a minute, and how many there were since', () => {
  const lines: unknown[] = [];
  let nowMs = 0;
  const logger = { log: (...line: unknown[]) => void lines.push(line) };
  const log = new RefusalLog(logger, () => nowMs);
  const refuse = (status: number, message: string): void =>
    log.refused({ status, message }, '10.0.0.9');
  refuse(403, 'This server is not called "evil.example".');
  refuse(403, 'This server is not called "worse.example".');
  refuse(403, 'Web pages of "evil.example" may not use this server.');
  refuse(429, 'Wait 12 seconds.');
  nowMs = 59_999;
  refuse(429, 'Wait 7 seconds.');
  refuse(403, 'This server is not called "evil.example".');
  nowMs = 60_000;
  refuse(403, 'This server is not called "last.example".');
  const refused = (status: number, message: string, more?: number) => [
    'warn',
    'refused',
    { status, message, address: '10.0.0.9', more },
  ];
  expect(lines).toEqual([
    refused(403, 'This server is not called "evil.example".'),
    refused(403, 'Web pages of "evil.example" may not use this server.'),
    refused(429, 'Wait 12 seconds.'),
    refused(403, 'This server is not called "last.example".', 2),
  ]);
});
