import { describe, expect, it } from 'vitest';
import { isPublicAddress, mayBePublic } from './public-addresses.ts';

const own = ['93.184.216.34', '2606:2800:220:1::1', 'fe80::1', 'nonsense'];

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.35',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:200::1',
    '2a00:1450:4001:800::200e',
    '2606:2800:220:1::2',
  ])('takes %s', (address) => {
    expect(isPublicAddress(address, own)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:1.1.1.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:10.0.0.1',
    '5f00::1',
    '3fff::1',
    '4000::1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '64:ff9b::1.1.1.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '2606:4700::1111%eth0',
    // Those of this machine, in two spellings.
    '93.184.216.34',
    '2606:2800:220:1::1',
    '2606:2800:0220:0001:0:0:0:1',
    // What is no address.
    '',
    'localhost',
    'a.example',
    '127.1',
    '0x7f.0.0.1',
    '1.1.1.1 ',
    '[::1]',
  ])('refuses %j', (address) => {
    expect(isPublicAddress(address, own)).toBe(false);
  });
});

it.each([
  ['vault.example.com', true],
  ['nas.tail1234.ts.net', true],
  ['93.184.215.14', true],
  ['localhost', false],
  ['nas', false],
  ['nas.local', false],
  ['Nas.LAN', false],
  ['box.home.arpa.', false],
  ['192.168.1.5', false],
  ['127.0.0.1', false],
  ['[fd00::5]', false],
])('whether the internet may reach %s: %s', (host, expected) => {
  expect(mayBePublic(host)).toBe(expected);
});
