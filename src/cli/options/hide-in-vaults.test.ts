import { expect, it } from 'vitest';
import { hideInVaults } from './hide-in-vaults.ts';

const folders = ['/home/u/Notes', 'C:\\Users\\u\\Work', ''];

it.each([
  ['Private', 'Private'],
  ['/Private', '/Private'],
  ['/home/u/Notes/Private', 'Private'],
  ['/home/u/Notes/Private/2020/', 'Private/2020/'],
  ['C:\\Users\\u\\Work\\Private\\*.md', 'Private/*.md'],
  ['C:/Users/u/Work/Private', 'Private'],
  ['/home/u/Notes 2/Private', '/home/u/Notes 2/Private'],
])('%s is hidden as %s', (glob, seen) => {
  expect(hideInVaults([glob], folders)).toEqual([seen]);
});
