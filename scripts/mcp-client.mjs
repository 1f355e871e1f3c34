import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * Connects an MCP client to a server over HTTP, or over another transport if one is given. Its
 * `call` never throws: if a call fails, `ok` is false and `text` has the error.
 */
export async function connectClient(url, transport) {
  const client = new Client({ name: 'script', version: '1' });
  await client.connect(transport ?? new StreamableHTTPClientTransport(new URL(url)));
  return {
    async call(name, args = {}, options = {}) {
      try {
        const answer = await client.callTool(
          { name, arguments: args },
          { timeout: 120_000, ...options },
        );
        const text = answer.content.map((piece) => piece.text ?? '').join('');
        return { ok: answer.isError !== true, text, value: answer.structuredContent ?? {} };
      } catch (error) {
        return { ok: false, text: String(error), value: {} };
      }
    },
    close: () => client.close(),
  };
}
