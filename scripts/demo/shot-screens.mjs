import { longNote } from './long-names.mjs';

const address = (path) => path.split('/').map(encodeURIComponent).join('/');

/**
 * What pictures are taken of, after `demoDay` (changes 1 to 12) and `longDay`: the address, and what is
 * done there before. `screen` is absent where the screen is always there.
 */
export const shotScreens = [
  { name: 'activity', at: 'activity' },
  { name: 'change', at: 'activity/5' },
  { name: 'change-rewritten', at: 'activity/7' },
  { name: 'change-long', at: 'activity/15' },
  {
    name: 'undo',
    at: 'activity',
    // The first session of the day; Sourdough was changed again after it.
    act: (page) => page.getByText('Undo session').last().click(),
  },
  { name: 'approvals', at: 'approvals' },
  {
    name: 'proposal',
    at: 'approvals',
    act: (page) => page.locator('.card .diff').last().waitFor(),
  },
  { name: 'notes', at: 'notes?q=flood', screen: 'notes' },
  { name: 'notes-long', at: 'notes?q=calendar%20appointment', screen: 'notes' },
  { name: 'note', at: 'notes/Projects/Flood%20map.md', screen: 'notes' },
  { name: 'note-long', at: `notes/${address(longNote)}`, screen: 'notes' },
  {
    name: 'canvas',
    at: 'notes/Projects/Greenhouse/Greenhouse%20plan.canvas',
    screen: 'notes',
  },
  { name: 'graph', at: 'graph', screen: 'graph' },
  { name: 'graph-around', at: 'graph?around=Projects%2FFlood%20map.md', screen: 'graph' },
  { name: 'health', at: 'health', screen: 'health' },
  { name: 'access', at: 'access' },
  {
    name: 'new-token',
    at: 'access',
    act: (page) => page.getByRole('button', { name: 'New token' }).click(),
  },
  { name: 'connect', at: 'connect/cursor' },
  { name: 'keys', at: 'activity', act: (page) => page.keyboard.press('?') },
];
