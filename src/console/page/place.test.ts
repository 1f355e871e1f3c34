import { describe, expect, it } from 'vitest';
import { addressOf, type Place, readPlace } from './place.ts';

const read = (address: string): Place => {
  const { pathname, search, hash } = new URL(address, 'http://localhost');
  return readPlace(pathname, search, hash);
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
    [
      '/c/activity/undo?session=a&change=5',
      { screen: 'activity', filter: {}, change: 5, undo: { session: 'a' } },
    ],
    ['/c/activity/undo?redo=7', { screen: 'activity', filter: {}, undo: { redo: 7 } }],
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
    ['/c/notes', { screen: 'notes' }],
    ['/c/notes?q=river+-%22a+%26+b%22', { screen: 'notes', query: 'river -"a & b"' }],
    [
      '/c/notes/Projects/Flood%20map.md?q=river#Next%20steps',
      { screen: 'notes', path: 'Projects/Flood map.md', query: 'river', heading: 'Next steps' },
    ],
    [
      '/c/v/a%2Fb/notes/100%25%20%23%3F%26%3D%2B%22%3Cb%3E%5C%3A.md#%5Eblock-1',
      { screen: 'notes', vault: 'a/b', path: '100% #?&=+"<b>\\:.md', heading: '^block-1' },
    ],
    [
      '/c/notes/%E6%97%A5%E6%9C%AC/%F0%9F%92%A5/%D7%A9.canvas',
      { screen: 'notes', path: '日本/\u{1f4a5}/\u05e9.canvas' },
    ],
    ['/c/notes/a.md?version=3', { screen: 'notes', path: 'a.md', version: 3 }],
    ['/c/notes/a.md?q=b&compare=3', { screen: 'notes', path: 'a.md', query: 'b', compare: 3 }],
    ['/c/graph', { screen: 'graph' }],
    [
      '/c/graph?folder=A+%26+B&tag=x%2Fy&draws=folders',
      { screen: 'graph', folder: 'A & B', tag: 'x/y', draws: 'folders' },
    ],
    [
      '/c/v/a%2Fb/graph?around=Projects%2FFlood+map.md&depth=2',
      { screen: 'graph', vault: 'a/b', around: 'Projects/Flood map.md', depth: 2 },
    ],
    ['/c/notes/notes', { screen: 'notes', path: 'notes' }],
    ['/c/notes/v/x/access', { screen: 'notes', path: 'v/x/access' }],
  ])('%s there and back', (address, place) => {
    expect(read(address)).toEqual(place);
    expect(addressOf(place)).toBe(address);
  });

  it('a name with half a character has an address', () => {
    expect(addressOf({ screen: 'notes', path: 'a\ud800.md' })).toBe('/c/notes/a%EF%BF%BD.md');
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
    ['/c/notes/', { screen: 'notes' }],
    ['/c/notes?q=', { screen: 'notes' }],
    ['/c/notes?q=a&version=2#b', { screen: 'notes', query: 'a' }],
    ['/c/notes/a/', { screen: 'notes', path: 'a' }],
    ['/c/notes/a.md?version=0&compare=x#%E0%A4%A', { screen: 'notes', path: 'a.md' }],
    ['/c/notes/a.md?version=2&compare=3', { screen: 'notes', path: 'a.md', version: 2 }],
  ])('%s is read', (address, place) => {
    expect(read(address)).toEqual(place);
  });
});
