import { expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { type LogLevel, logLevels } from '../../base/logger.ts';
import { openStderrLogger } from './stderr-logger.ts';

function logged(level: LogLevel, log: (logger: ReturnType<typeof openStderrLogger>) => void) {
  let text = '';
  const stream = { write: (line: string) => (text += line) };
  log(openStderrLogger({ stream, level, nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) }));
  return text;
}

it('an event is one line, with quotes around what could be misread', () => {
  const values = {
    tool: 'read_note',
    ms: 3,
    ok: false,
    none: undefined,
    vault: 'My "notes"\n',
    e: '',
  };
  expect(logged('info', (logger) => logger.log('info', 'call made', values))).toBe(
    '2026-01-02T03:04:05.006Z info call-made tool=read_note ms=3 ok=false vault="My \\"notes\\"\\n" e=""\n',
  );
});

it.each([
  ['silent', []],
  ['error', ['error']],
  ['warn', ['error', 'warn']],
  ['info', ['error', 'warn', 'info']],
  ['debug', ['error', 'warn', 'info', 'debug']],
] as const)('the level %s lets %j through', (level, shown) => {
  const text = logged(level, (logger) => {
    for (const each of logLevels) if (each !== 'silent') logger.log(each, 'event');
  });
  expect(text.match(/(?<=Z )\w+/g) ?? []).toEqual(shown);
});

it('what nobody reads is not kept without end', () => {
  const stream = {
    writableLength: 0,
    write(line: string) {
      this.writableLength += line.length;
    },
  };
  const logger = openStderrLogger({ stream, level: 'info', nowMs: () => 0 });
  const event = 'x'.repeat(limits.logBytesMax / 4);
  for (let times = 0; times < 20; times++) logger.log('info', event);
  expect(stream.writableLength).toBeLessThan(2 * limits.logBytesMax);
  stream.writableLength = 0; // Somebody reads again.
  logger.log('info', 'event');
  expect(stream.writableLength).toBeGreaterThan(0);
});
