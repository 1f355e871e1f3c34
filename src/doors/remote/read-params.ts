import { isObject } from '../../base/json.ts';

export type Params = Readonly<Record<string, unknown>>;

const none: Params = {};

/**
 * The parameters of a request as tools take them: absent ones are none, and a field that is null is
 * absent. `vault` goes, too, since this door has one vault and ignores fields that it does not know.
 * Undefined where they are no object.
 */
export function readParams(params: unknown): Params | undefined {
  if (params === undefined || params === null) return none;
  if (!isObject(params)) return undefined;
  for (const name in params) {
    if (isIgnored(name, params[name])) return withoutIgnored(params);
  }
  return params;
}

function withoutIgnored(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !isIgnored(name, value)),
  );
}

function isIgnored(name: string, value: unknown): boolean {
  return value === null || name === 'vault';
}
