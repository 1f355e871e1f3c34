import type { FactPart } from '../../ports/records.ts';
import type { Base, BaseFilter } from '../syntax/base.ts';
import type { Expression } from '../syntax/expression.ts';
import { childrenOf } from '../syntax/expression-children.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import type { PropertyId } from '../syntax/property-id.ts';
import { allStatements } from './filter-conditions.ts';

/** The parts of facts that members and functions of a file read. */
const partsOf: ReadonlyMap<string, FactPart> = new Map([
  ['size', 'size'],
  ['mtime', 'mtimeMs'],
  ['ctime', 'birthMs'],
  ['tags', 'tags'],
  ['hasTag', 'tags'],
  ['links', 'links'],
  ['embeds', 'links'],
  ['hasLink', 'links'],
  ['backlinks', 'backlinks'],
  ['properties', 'properties'],
  ['hasProperty', 'properties'],
]);

/**
 * The parts of facts that filters and properties probably need of every file, so that they are loaded
 * with the files. It is a guess by names: what is missing is loaded when it is needed.
 */
export function neededParts(
  base: Base,
  filters: readonly BaseFilter[],
  properties: readonly PropertyId[],
): ReadonlySet<FactPart> {
  const parts = new Set<FactPart>();
  const formulas = new Set<string>();
  const left: Expression[] = filters.flatMap(allStatements);
  const addFormula = (name: string): void => {
    const formula = base.formulas.get(name)?.parsed;
    if (formula === undefined || formula instanceof ExpressionError || formulas.has(name)) return;
    formulas.add(name);
    left.push(formula);
  };
  for (const { kind, name } of properties) {
    if (kind === 'formula') addFormula(name);
    const part = kind === 'note' ? 'properties' : partsOf.get(name);
    if (part !== undefined) parts.add(part);
  }
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (each.kind === 'name' && !['file', 'this', 'formula'].includes(each.name)) {
      parts.add('properties');
    }
    if (each.kind === 'member' && each.of.kind === 'name' && each.of.name === 'formula') {
      addFormula(each.name);
    } else if (each.kind === 'member' || each.kind === 'call') {
      const part = partsOf.get(each.name);
      if (part !== undefined) parts.add(part);
    }
    left.push(...childrenOf(each));
  }
  return parts;
}
