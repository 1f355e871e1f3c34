const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** A number as people write it: "5,000". */
export function numberText(number: number): string {
  return numbers.format(number);
}

/** A number with its noun: "1 change", "5,000 changes". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${rules.select(number) === 'one' ? one : many}`;
}
