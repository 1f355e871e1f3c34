import { describe, expect, it } from 'vitest';
import { memoryDocuments } from '../../../test/support/memory-documents.ts';
import { limits } from '../../base/limits.ts';
import type { FetchedDocument } from '../ports/client-documents.ts';
import { DocumentClients } from './document-clients.ts';

const id = 'https://app.example/client.json';
const documentOf = (url: string, name: string) => ({
  client_id: url,
  client_name: name,
  redirect_uris: ['https://app.example/cb'],
});
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function setUp() {
  const time = { nowMs: 1_000_000 };
  const documents = memoryDocuments();
  const clients = new DocumentClients(documents, () => time.nowMs);
  const publish = (name: string, maxAgeMs?: number): void => {
    documents.answer = async (url) => ({
      json: documentOf(url, name),
      ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    });
  };
  const fail = (): void => {
    documents.answer = async () => ({ message: 'Its host is down.' });
  };
  const nameAt = async (url = id): Promise<string | undefined> => {
    const found = await clients.find(url);
    return 'client' in found ? found.client.name : undefined;
  };
  return { time, documents, clients, publish, fail, nameAt };
}

describe('DocumentClients', () => {
  it.each([
    ['an hour where nothing is said', undefined, 60 * minuteMs],
    ['at least five minutes', 0, 5 * minuteMs],
    ['as long as the host says', 2 * 60 * minuteMs, 2 * 60 * minuteMs],
    ['at most a day', 365 * dayMs, dayMs],
  ])('keeps a document %s', async (_, maxAgeMs, expectedMs) => {
    const { time, documents, clients, publish, nameAt } = setUp();
    publish('App', maxAgeMs);
    expect(clients.kept(id)).toBeUndefined();
    expect(await nameAt()).toBe('App');
    time.nowMs += expectedMs - 1;
    publish('New');
    expect(clients.kept(id)?.name).toBe('App');
    expect(await nameAt()).toBe('App');
    expect(documents.fetched.length).toBe(1);
    time.nowMs += 1;
    expect(clients.kept(id)).toBeUndefined();
    expect(await nameAt()).toBe('New');
    expect(documents.fetched.length).toBe(2);
  });

  it('uses an old document for seven days while its host fails', async () => {
    const { time, publish, fail, nameAt } = setUp();
    publish('App');
    await nameAt();
    fail();
    time.nowMs += 60 * minuteMs;
    expect(await nameAt()).toBe('App');
    time.nowMs += 7 * dayMs - 1;
    expect(await nameAt()).toBe('App');
    time.nowMs += 1;
    expect(await nameAt()).toBeUndefined();
  });

  it('does not use an old document when the new one is bad', async () => {
    const { time, documents, publish, fail, nameAt, clients } = setUp();
    publish('App');
    await nameAt();
    time.nowMs += 60 * minuteMs;
    documents.answer = async () => ({ json: { ...documentOf(id, 'App'), client_secret: 'x' } });
    expect(await clients.find(id)).toMatchObject({ isPassing: false });
    fail();
    time.nowMs += minuteMs;
    expect(await clients.find(id)).toMatchObject({ isPassing: true });
  });

  it('remembers a failure for half a minute', async () => {
    const { time, documents, clients, publish, nameAt } = setUp();
    const failed = { message: 'Nothing is there.', isPassing: true };
    expect(await clients.find(id)).toEqual(failed);
    publish('App');
    time.nowMs += limits.clientDocumentFailedMs - 1;
    expect(await clients.find(id)).toEqual(failed);
    expect(documents.fetched.length).toBe(1);
    time.nowMs += 1;
    expect(await nameAt()).toBe('App');
  });

  it('uses nothing that is kept when the clock was set back', async () => {
    const { time, documents, clients, publish, nameAt } = setUp();
    publish('App');
    await nameAt();
    time.nowMs -= 1;
    expect(clients.kept(id)).toBeUndefined();
    expect(await nameAt()).toBe('App');
    expect(documents.fetched.length).toBe(2);
  });

  it('fetches a document once for all who wait, and few documents at once', async () => {
    const { documents, clients } = setUp();
    const answers: ((fetched: FetchedDocument) => void)[] = [];
    documents.answer = () => new Promise((resolve) => answers.push(resolve));
    const urls = Array.from({ length: limits.clientFetchesMax }, (_, at) => `${id}${at}`);
    const waiting = [...urls, ...urls].map((url) => clients.find(url));
    expect(documents.fetched).toEqual(urls);
    expect(await clients.find(id)).toMatchObject({ isPassing: true });
    for (const [at, answer] of answers.entries()) {
      answer({ json: documentOf(urls[at] ?? '', 'App') });
    }
    for (const found of await Promise.all(waiting)) expect(found).toHaveProperty('client');
    expect(documents.fetched).toEqual(urls);
  });

  it('keeps at most a hundred, and forgets the oldest', async () => {
    const { documents, clients, publish, nameAt } = setUp();
    publish('App');
    for (let at = 0; at <= limits.clientDocumentsMax; at++) await nameAt(`${id}${at}`);
    expect(documents.fetched.length).toBe(limits.clientDocumentsMax + 1);
    expect(clients.kept(`${id}0`)).toBeUndefined();
    expect(clients.kept(`${id}1`)).toBeDefined();
  });
});
