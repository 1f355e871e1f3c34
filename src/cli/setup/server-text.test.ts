import { expect, it } from 'vitest';
import { type ServerResult, serverText } from './server-text.ts';

const result: ServerResult = {
  url: 'https://nas.tail1234.ts.net/mcp',
  origin: 'http://127.0.0.1:1070',
  files: [],
  ownerPage: 'https://nas.tail1234.ts.net/owner',
  needsOwner: false,
  notes: 44,
};

function textFor(publicUrl: string): string {
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
    caddyfile,
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
