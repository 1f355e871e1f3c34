import { describe, expect, it } from 'vitest';
import { legacyHello } from '../../../../test/support/stdio-process.ts';
import { handshakeOf, newSessionFacts, readSessionId, signSessionId } from './session-id.ts';

const key = new Uint8Array(32).fill(1);
const signer = { key, token: 'a1b2c3d4' };
const facts = newSessionFacts({ ...legacyHello, capabilities: { elicitation: {} } }, 5);
const id = signSessionId(facts, signer);

describe('the id of a session', () => {
  it('begins with a UUID and fits into a header', () => {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]+\.[\w-]{22}$/);
    expect(id.length).toBeLessThan(200);
  });

  it('tells what a session needs to begin anew', () => {
    expect(readSessionId(id, signer)).toEqual(facts);
    expect(handshakeOf(facts)).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1.0.0' },
    });
  });

  it('tells whether the client shows views, and is as long as before where it does not', () => {
    const { capabilities } = handshakeOf({ ...facts, asks: false, views: true });
    const views = newSessionFacts({ ...legacyHello, capabilities }, 5);
    expect(views.views).toBe(true);
    expect(handshakeOf(views).capabilities).toEqual(capabilities);
    expect(readSessionId(signSessionId(views, signer), signer)).toEqual(views);
    expect(Object.keys(facts)).not.toContain('views');
  });

  const [uuid = '', told = '', signature = ''] = id.split('.');
  const forged: [string, string, { key: Uint8Array; token: string | undefined }][] = [
    ['signed with another key', id, { key: new Uint8Array(32), token: signer.token }],
    ['of another token', id, { key, token: 'ffffffff' }],
    ['of nobody with a token', id, { key, token: undefined }],
    ['with another UUID', `${crypto.randomUUID()}.${told}.${signature}`, signer],
    ['with other facts', `${uuid}.${told.slice(0, -2)}AA.${signature}`, signer],
    ['with another signature', `${uuid}.${told}.${'A'.repeat(22)}`, signer],
    ['cut off', id.slice(0, -1), signer],
    ['with more at its end', `${id}A`, signer],
    ['that is a bare UUID', uuid, signer],
    ['that is empty', '', signer],
  ];
  it.each(forged)('%s is void', (_name, text, by) => {
    expect(readSessionId(text, by)).toBeUndefined();
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2030-01-01', '2025-11-25'],
  ])('of a client of %s tells %s', (protocolVersion, told) => {
    expect(newSessionFacts({ ...legacyHello, protocolVersion }, 0).protocolVersion).toBe(told);
  });

  it('does not grow with the name of the client', () => {
    const clientInfo = { name: 'n'.repeat(10_000), version: '1'.repeat(10_000) };
    const long = signSessionId(newSessionFacts({ ...legacyHello, clientInfo }, 0), signer);
    expect(readSessionId(long, signer)?.client.name).toMatch(/^n+$/);
    expect(long.length).toBeLessThan(300);
  });
});
