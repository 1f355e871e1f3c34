import { StdioProcess, type WireMessage } from '../support/stdio-process.ts';
import type { Wire, WireDoor } from './run-wire-case.ts';

/** The built program over stdio, without the SDK. */
export const stdioWire: WireDoor = {
  name: 'mcp-stdio',
  leaves: true,
  open: async (folder, start) => wireTo(new StdioProcess({ folder, ...start })),
};

function wireTo(program: StdioProcess): Wire {
  let fences = 0;
  /** Answers, since the program may tell things of its own accord. */
  const answers = (): readonly WireMessage[] =>
    program.messages.filter((message) => message.method === undefined);
  return {
    async ask(message) {
      const before = answers().length;
      program.write(`${message}\n`);
      return program.find((each) => answers().indexOf(each) >= before);
    },
    async tell(message) {
      const before = answers().length;
      program.write(`${message}\n`);
      const fence = `fence ${++fences}`;
      program.send({ jsonrpc: '2.0', id: fence, method: 'ping' });
      await program.answer(fence);
      return answers().slice(before, -1);
    },
    async leave(way, last) {
      const before = answers().length;
      program.write(`${last}\n`);
      if (way === 'exit') program.send({ jsonrpc: '2.0', method: 'exit' });
      else program.child.stdin.end();
      const { code } = await program.exited;
      return { answers: answers().slice(before), code };
    },
    async close() {
      await program.end();
    },
  };
}
