import { describe, expect, it } from 'vitest';
import { addressOf, type Place, readPlace } from './place.ts';

const read = (address: string): Place => {
  const [path = '', query = ''] = address.split('?');
  return readPlace(path, query);
};

describe('places', () => {
  it.each<[address: string, place: Place]>([
    ['/c/activity', { screen: 'activity', filter: {} }],
    [
      '/c/activity?client=claude-ai&path=a+b&since=7d&kind=removing&undone=hide',
      {
        screen: 'activity',
        filter: { client: 'claude-ai', path: 'a b', since: '7d', kind: 'removing', undone: 'hide' },
      },
    ],
    ['/c/activity/44', { screen: 'activity', filter: {}, change: 44 }],
    ['/c/activity/44?since=1d', { screen: 'activity', filter: { since: '1d' }, change: 44 }],
    [
      '/c/activity/undo?session=s%2F1',
      { screen: 'activity', filter: {}, undo: { session: 's/1' } },
    ],
    ['/c/activity/undo?ids=4%2C5', { screen: 'activity', filter: {}, undo: { ids: [4, 5] } }],
    [
      '/c/v/My%20vault/activity/44',
      { screen: 'activity', filter: {}, change: 44, vault: 'My vault' },
    ],
    ['/c/v/a%2Fb/access', { screen: 'access', vault: 'a/b' }],
    ['/c/approvals/q7f3', { screen: 'approvals', id: 'q7f3' }],
    ['/c/connect/cursor', { screen: 'connect', id: 'cursor' }],
    ['/c/health', { screen: 'health' }],
    ['/c/health?list=orphans&from=50', { screen: 'health', list: 'orphans', from: 50 }],
    ['/c/health?conflict=a%2Fb.md', { screen: 'health', conflict: 'a/b.md' }],
    ['/c/enter', { screen: 'enter' }],
  ])('%s there and back', (address, place) => {
    expect(read(address)).toEqual(place);
    expect(addressOf(place)).toBe(address);
  });

  it.each<[address: string, place: Place]>([
    ['/c/', { screen: 'activity', filter: {} }],
    ['/c', { screen: 'activity', filter: {} }],
    ['/c/activity/', { screen: 'activity', filter: {} }],
    ['/c/activity?since=99y&kind=all&client=', { screen: 'activity', filter: {} }],
    ['/c/activity/undo', { screen: 'activity', filter: {} }],
    ['/c/activity/undo?ids=x,0,-1', { screen: 'activity', filter: {} }],
    ['/c/activity/nine', { screen: 'unknown' }],
    ['/c/activity/1/2', { screen: 'unknown' }],
    ['/c/nowhere', { screen: 'unknown' }],
    ['/c/%E0%A4%A', { screen: 'unknown' }],
    ['/d/activity', { screen: 'unknown' }],
    ['/c/constructor', { screen: 'unknown' }],
  ])('%s is read', (address, place) => {
    expect(read(address)).toEqual(place);
  });
});
