import { limits } from '../../base/limits.ts';
import { type Logger, type LogLevel, logLevels } from '../../base/logger.ts';

/** Values that are written without quotes, because they cannot be confused with what follows. */
const plain = /^[\w.,:/@+-]+$/;

/**
 * A log with one line for each event: `time level event key=value …`. Never fails. When nobody reads
 * the stream any more, lines are dropped once `limits.logBytesMax` bytes are waiting.
 */
export function openStderrLogger(parts: {
  readonly stream: { write(text: string): unknown; readonly writableLength?: number };
  readonly level: LogLevel;
  readonly nowMs: () => number;
}): Logger {
  const { stream, level: levelMax, nowMs } = parts;
  return {
    log: (level, event, values = {}) => {
      if (logLevels.indexOf(level) > logLevels.indexOf(levelMax)) return;
      if ((stream.writableLength ?? 0) > limits.logBytesMax) return;
      const written = Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${quoted(value)}`],
      );
      const time = new Date(nowMs()).toISOString();
      stream.write(`${[time, level, event.replaceAll(' ', '-'), ...written].join(' ')}\n`);
    },
  };
}

function quoted(value: string | number | boolean): string {
  const text = String(value);
  return plain.test(text) ? text : JSON.stringify(text);
}
