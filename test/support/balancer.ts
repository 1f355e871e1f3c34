import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';

/**
 * A load balancer on a port of this machine: each request goes to the next of the nodes that are there
 * now, whoever has answered the last one.
 */
export async function startBalancer(
  port: number,
  nodes: () => readonly string[],
): Promise<{ readonly url: string; readonly answeredBy: string[] }> {
  let next = 0;
  const answeredBy: string[] = [];
  const server = createServer((incoming, answer) => {
    const urls = nodes();
    const url = urls[next++ % urls.length];
    if (url === undefined) {
      answer.writeHead(503).end();
      return;
    }
    answeredBy.push(url);
    const { method = 'GET', headers, url: path = '/' } = incoming;
    const passed = request(new URL(path, url), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => answer.destroy());
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${port}`, answeredBy };
}
