import { expect, it } from 'vitest';
import { ringLayout } from './ring-layout.ts';

const size = { width: 240, height: 170 };

it.each([0, 1, 2, 12, 16, 17, 60])(
  '%i notes have places of their own inside the picture',
  (count) => {
    const points = ringLayout(count, size);
    expect(points).toHaveLength(count);
    expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThan(20);
      expect(x).toBeLessThan(size.width - 20);
      expect(y).toBeGreaterThan(10);
      expect(y).toBeLessThan(size.height - 10);
    }
  },
);
