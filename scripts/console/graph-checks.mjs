import { check } from '../outside-programs.mjs';

/** Does on the screen Graph what a person does there. The page is signed in. */
export async function checkGraph({ page, origin, look, press }) {
  const drawn = page.locator('.graph-canvas[data-drawn]');
  const open = async (query = '') => {
    await page.goto(new URL(`/c/graph${query}`, origin).href);
    await drawn.waitFor();
  };
  const rows = page.locator('.graph-table tbody tr');
  const asList = page.getByRole('button', { name: 'As a list' });

  await open();
  const nodes = Number(await drawn.getAttribute('data-drawn'));
  check('Graph draws the whole vault', nodes > 40, nodes);
  await look('graph');
  await asList.click();
  check('the same graph is a list', (await rows.count()) === nodes, await rows.count());
  await look('graph-list');
  await rows.getByRole('link', { name: 'Home', exact: true }).click();
  await page.waitForURL(/\/c\/notes\/Home\.md/);
  check('a row of the list leads to its note', true);

  // Folders are the largest nodes: somewhere on the picture there is one under the pointer.
  await open('?draws=folders');
  const card = page.locator('.graph-card');
  const { x, y, width, height } = await drawn.boundingBox();
  const isOver = () => page.evaluate(() => document.querySelector('.is-over-node') !== null);
  const across = Math.floor(width / 20);
  for (let at = 0; at * 20 * 20 < width * height && !(await isOver()); at++) {
    await page.mouse.move(x + 20 * (at % across), y + 20 * Math.floor(at / across));
  }
  await page.mouse.down();
  await page.mouse.up();
  await card.waitFor();
  check('a folder can be chosen on the picture', (await card.count()) === 1);
  await look('graph-folder');
  await card.getByRole('button', { name: 'Show its notes' }).click();
  await page.waitForURL(/folder=|draws=notes/);
  await drawn.waitFor();
  check('a folder is opened', Number(await drawn.getAttribute('data-drawn')) < nodes);

  // By keyboard alone: how far around a note, and closer.
  await open('?around=Projects%2FFlood+map.md');
  const near = Number(await drawn.getAttribute('data-drawn'));
  await page.getByRole('combobox', { name: 'How far' }).focus();
  await press('ArrowDown');
  await page.waitForURL(/depth=2/);
  await page.waitForFunction(
    (before) => Number(document.querySelector('[data-drawn]')?.dataset.drawn) > before,
    near,
  );
  check('further away there is more', true);
  await page.getByRole('button', { name: 'Zoom in' }).focus();
  await press('Enter');
  await look('graph-around');

  await page.goto(new URL('/c/graph?around=Nowhere.md', origin).href);
  await page.getByRole('alert').waitFor();
  check('a note that does not exist is said', true);
}
