import { z } from 'zod';

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const expected = 'it must be text, a number, true or false, a list of these, or null';

/** Only what the app's own property editor can show: objects are refused. */
export const PropertyValue = z.union([...Scalar.options, z.array(Scalar), z.null()], {
  error: ({ input }) => (input === undefined ? 'it is missing' : expected),
});
