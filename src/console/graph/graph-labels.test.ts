import { expect, it } from 'vitest';
import { GraphLabels } from './graph-labels.ts';

/** Labels on a canvas of a phone's width, and where each of them was drawn. */
function onPhone(textWidth: number) {
  const drawn: [label: string, x: number][] = [];
  const context = {
    measureText: () => ({ width: textWidth }),
    fillText: (label: string, x: number) => drawn.push([label, x]),
  } as unknown as CanvasRenderingContext2D;
  const labels = new GraphLabels({ colour: () => '#000' });
  const settings = { labelSize: 12, labelFont: 'x', labelWeight: '400', width: 390 };
  const draw = (label: string, x: number, y: number): void =>
    labels.draw(context, { x, y, size: 5, label }, settings);
  return { labels, draw, drawn };
}

it.each([
  ['right of its node', 100, 50, 108],
  ['left of it at the edge', 380, 50, 322],
  ['inside, where neither side has room', 200, 385, 5],
  ['from the edge on, when it is too long', 200, 500, 0],
])('a name is %s', (_, x, textWidth, left) => {
  const { draw, drawn } = onPhone(textWidth);
  draw('name', x, 50);
  expect(drawn).toEqual([['name', left]]);
});

it('a name is not drawn over another, until all is drawn anew', () => {
  const { labels, draw, drawn } = onPhone(60);
  draw('one', 50, 50);
  draw('over it', 80, 55);
  draw('below', 80, 70);
  draw('', 200, 200);
  const names = () => drawn.map(([label]) => label);
  expect(names()).toEqual(['one', 'below']);
  labels.begin();
  draw('over it', 80, 55);
  expect(names()).toEqual(['one', 'below', 'over it']);
});
