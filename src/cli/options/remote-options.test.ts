import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { type RemoteAction, type RemotePlace, readRemoteOptions } from './remote-options.ts';

const place = { home: '/home/me', currentFolder: '/here' };
const here: RemotePlace = {
  socket: join('/home/me/.obsidian-remote/server.sock'),
  tokenFile: join('/home/me/.obsidian-remote/token'),
};
const there: RemotePlace = {
  host: 'me@host',
  socket: '.obsidian-remote/server.sock',
  tokenFile: '.obsidian-remote/token',
};

it.each<[string, RemoteAction]>([
  ['ls', { name: 'ls', path: '' }],
  ['ls notes', { name: 'ls', path: 'notes' }],
  ['watch', { name: 'watch', path: '' }],
  ['cat a.md', { name: 'cat', path: 'a.md' }],
  ['put a.md', { name: 'put', path: 'a.md' }],
  ['put a.md -', { name: 'put', path: 'a.md' }],
  ['put a.md b.md', { name: 'put', path: 'a.md', file: 'b.md' }],
  ['put a.md --if-mtime 1747094400123', { name: 'put', path: 'a.md', ifMtime: 1747094400123 }],
  ['info', { name: 'info' }],
])('%s asks for %j', (words, action) => {
  const json = false;
  expect(readRemoteOptions(words.split(' '), place)).toEqual({ place: here, action, json });
});

it.each<[string, RemotePlace]>([
  ['info', here],
  ['info --socket s --token-file /t', { socket: resolve('/here/s'), tokenFile: resolve('/t') }],
  ['info --ssh me@host', there],
  ['--ssh me@host info --socket /s', { ...there, socket: '/s' }],
  ['--ssh me@host --token-file ~/t info', { ...there, tokenFile: 't' }],
])('%s means the daemon at %j', (words, expected) => {
  expect(readRemoteOptions(words.split(' '), place).place).toEqual(expected);
});

it.each([
  ['', '"remote" must be followed by ls, cat, put, watch or info.'],
  ['rm a.md', '"remote" must be followed by ls, cat, put, watch or info.'],
  ['cat', '"remote cat" needs the path of a file.'],
  ['put', '"remote put" needs the path of a file.'],
  ['ls a b', '"remote ls" takes one path.'],
  ['info a', '"remote info" takes no path.'],
  ['put a b c', '"remote put" takes one path, and one file.'],
  ['ls --if-mtime 1', '"--if-mtime" is for "put".'],
  ['put a --if-mtime 0', '"--if-mtime" takes whole milliseconds'],
  ['put a --if-mtime 1.5', '"--if-mtime" takes whole milliseconds'],
  ['ls --frob', 'There is no option "--frob".'],
])('%j is refused: %s', (words, message) => {
  const argv = words.split(' ').filter((word) => word !== '');
  expect(() => readRemoteOptions(argv, place)).toThrow(message);
});
