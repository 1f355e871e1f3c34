import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerNotice, WaitingMatter } from '../../engine/ports/questions.ts';
import { readNotifyTarget } from './notify-target.ts';
import { openOwnerNotice, type SendNotice } from './owner-notice.ts';
import { sendToProgram, sendToUrl } from './send-notice.ts';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on loopback that keeps what it is sent, and answers with this status. */
async function receiver(answer: { status: number; location?: string } | 'never' = { status: 200 }) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    if (answer === 'never') return;
    const { status, location } = answer;
    response.writeHead(status, location === undefined ? {} : { location }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A notice on a driven clock, with what it has logged. */
function noticeOf(send: SendNotice) {
  const timers = manualTimers();
  const logged: string[] = [];
  let nowMs = 1_000_000;
  const server = openOwnerNotice({
    platform: 'linux',
    ways: [{ name: '--notify', send }],
    clock: { nowMs: () => nowMs },
    timers,
    logger: {
      log: (level, event, values) => void logged.push(`${level} ${event} ${values?.['reason']}`),
    },
  });
  const advance = (ms: number): void => {
    nowMs += ms;
    timers.advance(ms);
  };
  const garden = server.ofVault({ name: 'Garden', folder: '/home/anna/My Garden' });
  const work = server.ofVault({ name: 'Work', folder: '/srv/work' });
  const notice = { ...garden, close: () => server.close() };
  return { notice, work, advance, logged };
}

const approvals = "vaultdoor approvals --vault '/home/anna/My Garden'";
const proposals = "vaultdoor proposals --vault '/home/anna/My Garden'";

const ask = (notice: OwnerNotice, client = 'Claude Code/1'): void =>
  notice.waits({ kind: 'question', client });

/** Lets a request that must not be made come, if it is. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

describe('the owner is told', () => {
  it('at once, and then once a minute of all that has come since', async () => {
    const { received, url } = await receiver();
    const { notice, advance } = noticeOf(sendToUrl(readNotifyTarget(`${url}/hook?key=k`)));
    ask(notice);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.path).toBe('/hook?key=k');
    expect(received[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      waiting: 1,
      questions: 1,
      proposals: 0,
      client: 'Claude Code/1',
      vaults: ['Garden'],
      answers: [approvals],
      text: `1 new question of Claude Code/1 waits for you in "Garden". Answer with:\n${approvals}`,
    });
    for (let n = 0; n < 500; n++) ask(notice, n % 2 === 0 ? 'Claude Code/1' : 'Cursor/2');
    notice.waits({ kind: 'proposal' });
    advance(limits.noticeEveryMs - 1);
    await pause();
    expect(received).toHaveLength(1);
    advance(1);
    await vi.waitFor(() => expect(received).toHaveLength(2));
    expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({
      waiting: 501,
      questions: 500,
      proposals: 1,
      otherClients: 1,
      text: `500 new questions and 1 new proposal of Claude Code/1 and 1 other client wait for you in "Garden". Answer with:\n${approvals}\n${proposals}`,
    });
    advance(10 * limits.noticeEveryMs);
    await pause();
    expect(received).toHaveLength(2);
    notice.waits({ kind: 'proposal' });
    await vi.waitFor(() => expect(received).toHaveLength(3));
    expect(JSON.parse(received[2]?.body ?? '')).toEqual({
      waiting: 1,
      questions: 0,
      proposals: 1,
      vaults: ['Garden'],
      answers: [proposals],
      text: `1 new proposal waits for you in "Garden". Answer with:\n${proposals}`,
    });
    await notice.close();
  });

  it('at most once a minute, also when the server ends', async () => {
    const { received, url } = await receiver();
    const { notice } = noticeOf(sendToUrl(readNotifyTarget(url)));
    ask(notice);
    ask(notice);
    await notice.close();
    expect(received.map(({ body }) => JSON.parse(body).waiting)).toEqual([1]);
    ask(notice);
    await notice.close();
    expect(received).toHaveLength(1);
  });

  it('in which vaults something waits, with a command for each', async () => {
    const { received, url } = await receiver();
    const { notice, work, advance } = noticeOf(sendToUrl(readNotifyTarget(url)));
    const matter: WaitingMatter = { kind: 'proposal' };
    work.waits(matter);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    for (const each of [work, notice, work]) each.waits(matter);
    ask(notice);
    advance(limits.noticeEveryMs);
    await vi.waitFor(() => expect(received).toHaveLength(2));
    await notice.close();
    const lines = JSON.parse(received[1]?.body ?? '').text.split('\n');
    expect(lines).toEqual([
      '1 new question and 3 new proposals of Claude Code/1 wait for you in "Work", "Garden". Answer with:',
      'vaultdoor proposals --vault /srv/work',
      approvals,
      proposals,
    ]);
  });

  it('the name of a client on one short line', async () => {
    const { received, url } = await receiver();
    const { notice } = noticeOf(sendToUrl(readNotifyTarget(`ntfy:${url}/topic`)));
    ask(notice, `Evil\r\nX-Header: 1\u001b[2J\u202e${'x'.repeat(500)}`);
    await notice.close();
    const [first] = received;
    expect(first?.headers['x-header']).toBeUndefined();
    expect(first?.body).toMatch(
      /^1 new question of Evil X-Header: 1\\u\{1b\}\[2J\\u\{202e\}x+… waits for you in "Garden"\./,
    );
    expect(first?.body.length).toBeLessThan(240);
  });

  it('in the form of ntfy', async () => {
    const { received, url } = await receiver();
    const target = readNotifyTarget(`ntfy:${url.replace('//', '//me:s%20cret@')}/my-topic`);
    const { notice } = noticeOf(sendToUrl(target));
    ask(notice);
    await notice.close();
    expect(received[0]).toMatchObject({
      path: '/my-topic',
      headers: { title: 'Vaultdoor', authorization: `Basic ${btoa('me:s cret')}` },
      body: `1 new question of Claude Code/1 waits for you in "Garden". Answer with:\n${approvals}`,
    });
  });

  it('in the form of Gotify', async () => {
    const { received, url } = await receiver();
    const { notice } = noticeOf(sendToUrl(readNotifyTarget(`${url}/message?token=Abc`)));
    ask(notice);
    await notice.close();
    expect(received[0]?.path).toBe('/message?token=Abc');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      title: 'Vaultdoor',
      message: `1 new question of Claude Code/1 waits for you in "Garden". Answer with:\n${approvals}`,
      priority: 5,
    });
  });

  it.skipIf(process.platform === 'win32')('by a program, without a shell', async () => {
    const folder = tempFolder();
    const file = join(folder, 'tell me');
    const keep = `require('fs').writeFileSync(${JSON.stringify(join(folder, 'out'))}, JSON.stringify([process.argv.slice(2), require('fs').readFileSync(0, 'utf8')]))`;
    writeFileSync(file, `#!${process.execPath}\n${keep}\n`);
    chmodSync(file, 0o755);
    const { notice, logged } = noticeOf(sendToProgram(file, process.env));
    ask(notice, '$(touch pwned); `touch pwned` "\'');
    await notice.close();
    const [args, input] = JSON.parse(readFileSync(join(folder, 'out'), 'utf8')) as [
      string[],
      string,
    ];
    expect(args).toEqual([
      `1 new question of $(touch pwned); \`touch pwned\` "' waits for you in "Garden". Answer with:\n${approvals}`,
    ]);
    expect(JSON.parse(input)).toMatchObject({ waiting: 1, text: args[0] });
    expect(logged).toEqual([]);
    expect(existsSync('pwned')).toBe(false);
  });
});

describe('a failure is logged once, without the address', () => {
  it('when the server refuses, until it works again', async () => {
    const answer = { status: 403 };
    const { received, url } = await receiver(answer);
    const { notice, advance, logged } = noticeOf(sendToUrl(readNotifyTarget(`${url}/x?token=S3`)));
    const tell = async (count: number): Promise<void> => {
      ask(notice);
      await vi.waitFor(() => expect(received).toHaveLength(count));
      await pause();
      advance(limits.noticeEveryMs);
    };
    await tell(1);
    await tell(2);
    expect(logged).toEqual(['warn notice not sent it answered 403']);
    answer.status = 200;
    await tell(3);
    answer.status = 500;
    await tell(4);
    expect(logged.slice(1)).toEqual(['warn notice not sent it answered 500']);
    await notice.close();
  });

  it('when it sends us elsewhere, where nothing is sent', async () => {
    const other = await receiver();
    const { received, url } = await receiver({ status: 307, location: `${other.url}/there` });
    const { notice, logged } = noticeOf(sendToUrl(readNotifyTarget(`${url}/secret-topic`)));
    ask(notice);
    await notice.close();
    expect([received.length, other.received.length]).toEqual([1, 0]);
    expect(logged).toEqual([
      'warn notice not sent it answered 307, a redirect; give the address that it leads to',
    ]);
  });

  it('when nobody is there', async () => {
    const { notice, logged } = noticeOf(sendToUrl(readNotifyTarget('http://127.0.0.1:1/secret')));
    ask(notice);
    await notice.close();
    expect(logged).toEqual(['warn notice not sent ECONNREFUSED']);
  });

  it('when it does not answer in time', async () => {
    const { received, url } = await receiver('never');
    const { notice, advance, logged } = noticeOf(sendToUrl(readNotifyTarget(url)));
    ask(notice);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    advance(limits.noticeMs);
    await vi.waitFor(() => expect(logged).toEqual(['warn notice not sent no answer in time']));
    await notice.close();
  });

  it('and a server that ends does not wait for it for long', async () => {
    const { received, url } = await receiver('never');
    const { notice, advance } = noticeOf(sendToUrl(readNotifyTarget(url)));
    ask(notice);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const closed = notice.close();
    advance(limits.lastNoticeMs);
    await closed;
  });

  it.skipIf(process.platform === 'win32')('when a program fails or is missing', async () => {
    const failing = noticeOf(sendToProgram('/bin/false', process.env));
    ask(failing.notice);
    await failing.notice.close();
    expect(failing.logged).toEqual(['warn notice not sent it ended with 1']);
    const missing = noticeOf(sendToProgram(join(tempFolder(), 'none'), process.env));
    ask(missing.notice);
    await missing.notice.close();
    expect(missing.logged).toEqual(['warn notice not sent ENOENT']);
  });
});

describe('an address', () => {
  it.each([
    ['https://ntfy.sh/my-topic', { kind: 'ntfy', url: 'https://ntfy.sh/my-topic' }],
    ['ntfy:https://push.example.com/t', { kind: 'ntfy', url: 'https://push.example.com/t' }],
    ['gotify:https://example.com/g?x=1', { kind: 'gotify', url: 'https://example.com/g?x=1' }],
    [
      'https://example.com/gotify/message?token=A',
      { kind: 'gotify', url: 'https://example.com/gotify/message?token=A' },
    ],
    [
      'https://me:100%25%zz@example.com/',
      {
        kind: 'webhook',
        url: 'https://example.com/',
        authorization: `Basic ${btoa('me:100%25%zz')}`,
      },
    ],
    ['http://localhost:8080/hook#x', { kind: 'webhook', url: 'http://localhost:8080/hook' }],
    ['https://example.com/message', { kind: 'webhook', url: 'https://example.com/message' }],
  ])('%s is %j', (given, expected) => {
    expect(readNotifyTarget(given)).toEqual(expected);
  });

  it.each([
    '',
    'ntfy.sh/t',
    'file:///etc/passwd',
    'ntfy:my-topic',
    'ftp://x/y',
    'https://ntfy.sh/',
  ])('%j is refused, and not repeated', (given) => {
    expect(() => readNotifyTarget(given)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringMatching(/^"--notify" (takes an address|needs the topic)/),
      }),
    );
  });
});
