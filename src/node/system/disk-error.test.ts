import { expect, it } from 'vitest';
import { errnoOf, isDriveFault } from './disk-error.ts';

it.skipIf(process.platform !== 'linux')(
  'a file that a network drive has removed is its fault',
  () => {
    // As Node 20 throws it: it knows the number and not the name.
    const code = 'Unknown system error -116';
    const error = Object.assign(new Error(code), { errno: -116, code, syscall: 'read' });
    expect([errnoOf(error), isDriveFault(error)]).toEqual(['ESTALE', true]);
  },
);
