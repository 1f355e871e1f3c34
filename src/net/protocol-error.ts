import type { Refusal } from './http-handler.ts';

/**
 * What a client is told whose request could not be read. Undefined when its connection broke: then
 * nobody is there to be told.
 */
export function refusalOf(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        message: 'The headers of this request are larger than this server takes.',
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        status: 413,
        message: 'The chunks of this request say more than this server takes.',
      };
    default:
      if (!code.startsWith('HPE_')) return undefined;
      return { status: 400, message: 'This is no HTTP/1.1 request that this server can read.' };
  }
}
