import { expect, it } from 'vitest';
import { type ServerResult, serverText } from './server-text.ts';
import { othersNames, withSettings } from './service-files.ts';

const result: ServerResult = {
  url: 'https://nas.tail1234.ts.net/mcp',
  origin: 'http://127.0.0.1:1070',
  files: [],
  ownerPage: 'https://nas.tail1234.ts.net/owner',
  needsOwner: false,
  notes: 44,
};

function textFor(publicUrl: string, more: object = {}): string {
  const caddyfile = '# comment\n\nvault.example.com {\n\treverse_proxy 127.0.0.1:1065\n}\n';
  return serverText(result, {
    decided: {
      vaultPath: '/srv/Notes',
      address: { host: '127.0.0.1', publicUrl },
      port: 1070,
      access: 'sign-in',
      allow: 'change',
    },
    vault: { name: 'Notes', path: '/srv/Notes' },
    isService: true,
    added: [],
    caddyfile,
    ...more,
  }).join('\n');
}

it.each([
  ['https://nas.tail1234.ts.net', '\n  sudo tailscale funnel --bg 1070\n', 'Caddy'],
  [
    'https://nas.tail1234.ts.net:8443',
    '\n  sudo tailscale funnel --bg --https=8443 1070\n',
    'Caddy',
  ],
  [
    'https://vault.example.org',
    '\nvault.example.org {\n\treverse_proxy 127.0.0.1:1070\n}\n',
    'tailscale',
  ],
])('the text for %s has what leads the address here, and nothing else', (url, has, lacks) => {
  expect(textFor(url)).toContain(has);
  expect(textFor(url)).not.toContain(lacks);
});

it('a server that is started by hand is told which variables of the settings it does not have', () => {
  const added = othersNames(withSettings('A_B=1\n', { settings: { PORT: '1' } }));
  const text = textFor('https://vault.example.org', { isService: false, added });
  expect(text).toContain('You have added A_B to that file');
});
