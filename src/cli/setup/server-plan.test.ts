import { expect, it } from 'vitest';
import { serverDiffs } from './server-plan.ts';
import { withSettings } from './service-files.ts';

it.each([
  ['server.env', withSettings('KEY=secret\n', { settings: {} })],
  ['vaultdoor.service', '[Service]\nEnvironment=KEY=secret\nUMask=0077\n'],
])('the diff of %s shows no variable that a person has added', (name, text) => {
  const file = { path: `/home/ann/${name}`, real: `/home/ann/${name}`, text };
  const [diff] = serverDiffs([{ file, plan: { text: '', entries: [], removesFile: true } }]);
  expect(diff).toContain(`a/home/ann/${name}`);
  expect(diff).not.toContain('secret');
});
