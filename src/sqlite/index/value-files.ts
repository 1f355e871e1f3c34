import type { ValueCondition } from '../../engine/ports/records.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { valueKinds } from '../tables/kept-values.ts';

/** Some files. */
export interface FileSet {
  /** A condition on `f.id`. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The files that may meet a condition; `sure` are those that do, where values alone decide. */
export interface ValueFiles extends FileSet {
  readonly sure: FileSet | undefined;
}

/** The ids of the files with a link to a path. */
const linking = 'SELECT source FROM edge WHERE target = (SELECT id FROM file WHERE path = ?)';

/** The files with a link to a path. */
export const filesLinkingTo = `f.id IN (${linking})`;

const { whole, vagueWhole, listed, vagueListed, listedLink } = valueKinds;

/** The files with a value that meets a condition, in the kept table `value`. */
export function valueFiles(condition: ValueCondition): ValueFiles {
  const { name } = condition;
  if ('number' in condition) {
    const { operator, than } = condition.number;
    // Numbers come before all texts. A vague value is a text.
    const set = filesOf(name, [
      { sql: `kind = ${whole} AND key ${operator} ? AND key < ''`, values: [than] },
    ]);
    return { ...set, sure: set };
  }
  if ('equal' in condition) {
    const equal = condition.equal.map((key) => ({
      sql: `kind = ${whole} AND key = ?`,
      values: [key],
    }));
    const vague = { sql: `kind = ${vagueWhole}`, values: [] };
    return { ...filesOf(name, [...equal, vague]), sure: filesOf(name, equal) };
  }
  if ('text' in condition) {
    const { from, before } = condition.text;
    const range =
      before === undefined
        ? { sql: `kind = ${whole} AND key >= ?`, values: [from] }
        : { sql: `kind = ${whole} AND key >= ? AND key < ?`, values: [from, before] };
    const vague = { sql: `kind = ${vagueWhole}`, values: [] };
    return { ...filesOf(name, [range, vague]), sure: undefined };
  }
  if ('linkTo' in condition.lists) {
    const kinds = `kind IN (${whole}, ${vagueWhole}, ${listed}, ${vagueListed})`;
    return {
      sql: `f.id IN (${linking} UNION ALL SELECT file FROM value WHERE name = ? AND ${kinds})`,
      values: [condition.lists.linkTo, name],
      sure: undefined,
    };
  }
  const others = `kind IN (${whole}, ${vagueWhole}, ${vagueListed}, ${listedLink})`;
  const found = condition.lists.oneOf.map((key) => ({
    sql: `kind = ${listed} AND key = ?`,
    values: [key],
  }));
  return { ...filesOf(name, [...found, { sql: others, values: [] }]), sure: undefined };
}

/** The files with a value of this name in one of these parts of the table. */
function filesOf(name: string, parts: readonly FileSet[]): FileSet {
  const selects = parts.map(({ sql }) => `SELECT file FROM value WHERE name = ? AND ${sql}`);
  return {
    sql: `f.id IN (${selects.join(' UNION ALL ')})`,
    values: parts.flatMap(({ values }) => [name, ...values]),
  };
}
