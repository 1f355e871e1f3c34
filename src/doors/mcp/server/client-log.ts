import {
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../base/json.ts';
import type { Logger } from '../../../base/logger.ts';
import type { McpConnection } from './mcp-connection.ts';

/** The levels of the protocol, the most talkative first. */
const levels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies readonly LoggingLevel[];

/** The levels of our log, as the protocol calls them. */
const levelNames: Readonly<Record<Parameters<Logger['log']>[0], LoggingLevel>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
};

/**
 * Sends a client the lines of the log that are about its own requests, if it asks for them: with
 * `logging/setLevel` in the 2025 protocol, or with a level in each request of 2026-07-28. The lines
 * are those of `Logger`, which never contain text of notes, tokens or arguments. What other clients
 * do is not sent.
 */
export class ClientLog {
  readonly #connection: McpConnection;
  #level: LoggingLevel | undefined;

  /** Answers `logging/setLevel` of this server. */
  constructor(server: Server, connection: McpConnection) {
    this.#connection = connection;
    server.setRequestHandler('logging/setLevel', { params: anything }, async (params) => {
      this.#level = levelIn(params);
      await connection.kept?.setLogLevel(this.#level);
      return {};
    });
  }

  /** The connection during one request, whose lines of the log are sent to the client too. */
  during(context: ServerContext): McpConnection {
    const { logger } = this.#connection;
    const both: Logger = {
      log: (level, event, values) => {
        logger.log(level, event, values);
        this.#tell(context, level, { event, ...values });
      },
    };
    // Inherits the rest, because parts of a connection change while it lasts.
    return Object.create(this.#connection, { logger: { value: both } }) as McpConnection;
  }

  /** The level that the client has set; undefined when it has set none: then nothing is sent. */
  #levelSet(): LoggingLevel | undefined {
    const kept = this.#connection.kept?.logLevel();
    return this.#level ?? levels.find((level) => level === kept);
  }

  #tell(context: ServerContext, of: Parameters<Logger['log']>[0], data: object): void {
    const level = levelNames[of];
    const { envelope } = context.mcpReq;
    const least = envelope === undefined ? this.#levelSet() : levelOf(envelope);
    if (least === undefined || levels.indexOf(level) < levels.indexOf(least)) return;
    const params = { level, logger: 'vaultdoor', data };
    // It fails when the connection is gone, and then there is no reader of the log.
    context.mcpReq.notify({ method: 'notifications/message', params }).catch(() => undefined);
  }
}

/** The level that a request of 2026-07-28 asks for; undefined when it asks for none. */
function levelOf(envelope: object): LoggingLevel | undefined {
  const asked = (envelope as Readonly<Record<string, unknown>>)[LOG_LEVEL_META_KEY];
  return levels.find((level) => level === asked);
}

/** A schema that accepts everything: the SDK would answer with the errors of its schema library. */
const anything = {
  '~standard': { version: 1, vendor: 'vaultdoor', validate: (value: unknown) => ({ value }) },
} as const;

function levelIn(params: unknown): LoggingLevel {
  const asked = isObject(params) ? params['level'] : undefined;
  const level = levels.find((each) => each === asked);
  if (level !== undefined) return level;
  const message = `"level" must be one of ${levels.join(', ')}.`;
  throw new ProtocolError(-32602, message, { errorCode: 'INVALID_INPUT' });
}
