// Stands in for Claude Code in the commands of the pages. `claude mcp add` of the real one only keeps
// the entry, and its model calls the tools later. This one connects at once with what it was told and
// changes a note, so that the history has something to show:
//
//   claude mcp add --scope user --transport http <name> <address> [--header <header>]    adds a line to a note
//   claude mcp add --scope user <name> -- <program> [<argument> …]          renames a note
//
// A server that asks for a token must refuse it without one.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

const words = process.argv.slice(2);
const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'claude-code', version: '2.1.0' },
};

// Without "--scope user" the entry holds in one folder only, which no page means.
if (words.slice(0, 4).join(' ') !== 'mcp add --scope user') wrongArguments();
else if (words.slice(4, 6).join(' ') === '--transport http') await overHttp(words.slice(7));
else if (words[5] === '--') await overStdio(words.slice(6));
else wrongArguments();

async function overHttp([address, flag, header]) {
  const url = new URL(address);
  // The name of the server leads nowhere in a test: it is on this machine.
  url.hostname = '127.0.0.1';
  const [, authorization] = /^Authorization: (.*)$/.exec(header ?? '') ?? [];
  if (url.pathname !== '/mcp' || (flag !== undefined && flag !== '--header')) {
    wrongArguments();
  }
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const send = (request, more) =>
    fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(request) });
  if (authorization !== undefined) {
    const { status } = await send(requestOf('initialize', hello));
    if (status !== 401) fail(`without the token the server answers ${status}`);
    headers.authorization = authorization;
  }
  const call = async (method, params) => {
    const answer = await send(requestOf(method, params));
    if (answer.status !== 200) fail(`${method} was answered with ${answer.status}`);
    const session = answer.headers.get('mcp-session-id');
    if (session !== null) headers['mcp-session-id'] = session;
    return (await answer.json()).result;
  };
  await call('initialize', hello);
  const { tools } = await call('tools/list', {});
  const isNotes = tools.some(({ name }) => name === 'append_note');
  const text = 'Ask the mill for its readings.';
  // A client that sees one folder alone does not find the first note.
  const paths = ['Notes/Swifts.md', 'Projects/Flood map.md'];
  await firstOf(
    call,
    paths.map((path) =>
      isNotes
        ? { name: 'append_note', arguments: { path, text } }
        : { name: 'note_upsert', arguments: { path, content: text } },
    ),
  );
}

async function overStdio([program, ...args]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (method, params) => {
    child.stdin.write(`${JSON.stringify(requestOf(method, params))}\n`);
    for (;;) {
      const { done, value } = await answers.next();
      if (done) fail(`${method} was not answered`);
      const answer = JSON.parse(value);
      if (answer.id === 1) return answer.result;
    }
  };
  await call('initialize', hello);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const names = { old_name: 'Bike shed', new_name: 'Bicycle shed' };
  await firstOf(call, [{ name: 'rename_note', arguments: names }]);
  child.stdin.end();
}

/** Makes the first of these calls that succeeds. */
async function firstOf(call, calls) {
  const failures = [];
  for (const params of calls) {
    const { isError, content } = await call('tools/call', params);
    if (isError !== true) return;
    failures.push(content);
  }
  fail(`no note could be changed: ${JSON.stringify(failures)}`);
}

function requestOf(method, params) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

function wrongArguments() {
  fail(`wrong arguments: ${words.join(' ')}`);
}

function fail(text) {
  process.stderr.write(`claude: ${text}\n`);
  process.exit(1);
}
