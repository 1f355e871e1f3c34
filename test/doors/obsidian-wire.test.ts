import { expect, it } from 'vitest';
import { obsidianCases } from '../contract/obsidian-cases.ts';
import { describeWireCases } from '../contract/run-wire-case.ts';
import { stdioWire } from '../contract/stdio-wire.ts';
import { counted } from '../support/counts.ts';

describeWireCases(
  stdioWire,
  counted({ quick: obsidianCases.filter((_, index) => index % 5 === 0), full: obsidianCases }),
);

it('no two cases have one id', () => {
  const ids = obsidianCases.map((each) => each.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it("every code of the seed's two tables is answered in a case", () => {
  const answers = obsidianCases.flatMap(({ steps }) => steps.map((step) => step.answer));
  const codes = answers.map((answer) => (answer as { error?: { code: number } })?.error?.code);
  const standard = [-32700, -32600, -32601, -32602, -32603];
  const application = [-32000, -32001, -32002, -32003, -32004, -32005, -32006];
  expect([...standard, ...application].filter((code) => !codes.includes(code))).toEqual([]);
});
