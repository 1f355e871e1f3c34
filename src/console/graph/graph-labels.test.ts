import { expect, it } from 'vitest';
import { GraphLabels, placeOf } from './graph-labels.ts';

it.each([
  ['right of its node', 100, 50, [108, 158]],
  ['left of it at the edge', 380, 50, [322, 372]],
  ['inside, where neither side has room', 200, 385, [5, 390]],
  ['from the edge on, when it is too long', 200, 500, [0, 500]],
])('a name is %s', (_, x, text, [left, right]) => {
  expect(placeOf({ x, y: 0, size: 5 }, { text, width: 390 })).toEqual({ left, right, y: 0 });
});

it('a name is not drawn over another, until all is drawn anew', () => {
  const drawn: string[] = [];
  const context = {
    measureText: () => ({ width: 60 }),
    fillText: (label: string) => drawn.push(label),
  } as unknown as CanvasRenderingContext2D;
  const labels = new GraphLabels({ colour: () => '#000' });
  const settings = { labelSize: 12, labelFont: 'x', labelWeight: '400', width: 390 };
  const draw = (label: string, x: number, y: number): void =>
    labels.draw(context, { x, y, size: 5, label }, settings);
  draw('one', 50, 50);
  draw('over it', 80, 55);
  draw('below', 80, 70);
  draw('', 200, 200);
  expect(drawn).toEqual(['one', 'below']);
  labels.begin();
  draw('over it', 80, 55);
  expect(drawn).toEqual(['one', 'below', 'over it']);
});
