import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BridgeCase, bodyOf, methodOf, pathOf } from '../contract/bridge-case.ts';
import { bridgeCases } from '../contract/bridge-cases.ts';
import { checkBridgeReply } from '../contract/run-bridge-case.ts';
import { type CurlAnswer, curl, hasCurl } from '../support/curl.ts';
import { HttpProcess } from '../support/http-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const example = fileURLToPath(new URL('../../examples/vault', import.meta.url));

describe.skipIf(!hasCurl)('Bridge v1 of the built program, with curl', () => {
  const ends: (() => void)[] = [];
  let program: HttpProcess;
  let base: string;

  beforeAll(async () => {
    const onFinished = (end: () => void): number => ends.push(end);
    const folder = tempFolder({}, onFinished);
    cpSync(example, folder, { recursive: true });
    program = await HttpProcess.start({ folder, args: ['--bridge-port', '0'], onFinished });
    [base = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/bridge\/v1\n)/.exec(program.stdout) ?? [];
  });

  afterAll(() => {
    for (const end of ends.reverse()) end();
  });

  /** What a case sends, as words of curl. */
  function words({ request }: BridgeCase): readonly string[] {
    const method = methodOf(request);
    const body = bodyOf(request);
    const headers = Object.entries(request.headers ?? {}).map(
      ([name, value]) => `${name}: ${value}`,
    );
    // curl names a type where a body has none, unless it is told not to.
    const types = headers.some((header) => header.startsWith('content-type:'))
      ? []
      : ['content-type:'];
    return [
      ...(method === 'HEAD' ? ['--head'] : ['-X', method]),
      '--path-as-is',
      // It would ask whether it may send a large body, and be told so twice.
      ...['-H', 'expect:'],
      ...[...headers, ...types].flatMap((header) => ['-H', header]),
      ...(request.isChunked ? ['-H', 'transfer-encoding: chunked'] : []),
      ...(body === undefined ? [] : ['--data-binary', `@${bodyFile(body)}`]),
      `${base}${pathOf(request)}`,
    ];
  }

  function bodyFile(body: string): string {
    return join(
      tempFolder({ body }, (end) => ends.push(end)),
      'body',
    );
  }

  it.concurrent.each(bridgeCases.map((one) => [one.id, one.source, one] as const))(
    '%s %s',
    async (_id, _source, one) => {
      checkBridgeReply(one, await curl(...words(one)));
    },
  );

  describe("the seed's own examples", () => {
    const seedCurl = (...given: readonly string[]): Promise<CurlAnswer> =>
      curl(...given.map((word) => word.replace('http://127.0.0.1:3000', base)));
    const json = ({ body }: CurlAnswer): unknown => JSON.parse(body);

    it('curl -s http://127.0.0.1:3000/bridge/v1/health', async () => {
      const answer = await seedCurl('-s', 'http://127.0.0.1:3000/bridge/v1/health');
      const { version } = JSON.parse(
        readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
      );
      expect(answer.body).toBe(`{"status":"ok","version":"${version}","protocolVersion":"1"}`);
    });

    it('curl -s http://127.0.0.1:3000/bridge/v1/tools', async () => {
      const answer = await seedCurl('-s', 'http://127.0.0.1:3000/bridge/v1/tools');
      expect(json(answer)).toEqual({
        tools: expect.arrayContaining([
          expect.objectContaining({ name: 'read_note' }),
          expect.objectContaining({ name: 'delete_note' }),
        ]),
        hash: expect.stringMatching(/^[\da-f]{64}$/),
      });
    });

    it("curl -s -X POST …/tools/read_note/call -H 'Content-Type: application/json' -d …", async () => {
      const answer = await seedCurl(
        ...['-s', '-X', 'POST', 'http://127.0.0.1:3000/bridge/v1/tools/read_note/call'],
        ...['-H', 'Content-Type: application/json'],
        ...['-d', '{"arguments":{"path":"Notes/Example.md"}}'],
      );
      const note = readFileSync(join(example, 'Notes/Example.md'), 'utf8');
      expect(json(answer)).toEqual({
        success: true,
        content: [expect.objectContaining({ type: 'text', text: note })],
      });
    });
  });
});
