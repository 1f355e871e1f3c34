/** Parts of a query: a quoted text, an expression, a property in brackets, or a word. */
const parts =
  /(-?)(?:([a-z-]{1,20}):)?(?:"((?:[^"\\]|\\.)*)"|\/(?:[^/\\]|\\.)*\/|\[([^\]]*)\]|([^\s()"]+))/giu;
/** Operators whose words are not in the text of a note. */
const inNames = ['file', 'path'];
const operators = [
  ...inNames,
  ...['content', 'tag', 'line', 'block', 'section', 'task', 'task-todo', 'task-done'],
  ...['match-case', 'ignore-case'],
];

/**
 * The words and quoted texts of a query that its results may contain, for marking them. Reads the
 * language of docs/search.md roughly: a wrong mark does no harm. Expressions are left out.
 */
export function queryTerms(query: string): readonly string[] {
  const terms: string[] = [];
  for (const [whole, minus, operator, quoted, property, word] of query.matchAll(parts)) {
    const name = operator?.toLowerCase();
    if (minus !== '' || (name !== undefined && inNames.includes(name))) continue;
    if (quoted !== undefined) terms.push(quoted.replace(/\\(["\\])/g, '$1'));
    else if (property !== undefined) terms.push(...propertyTerms(property));
    else if (word !== undefined && !['OR', 'AND'].includes(word)) {
      const isOperator = name === undefined || operators.includes(name);
      terms.push((isOperator ? word : whole).replace(/^#/, ''));
    }
  }
  return terms.filter((term) => /[\p{L}\p{N}]/u.test(term) && !/^[a-z-]{1,20}:$/i.test(term));
}

/** The name of a property, and the words of its value unless the value is compared. */
function propertyTerms(property: string): readonly string[] {
  const [name = '', value = ''] = property.split(/:(.*)/s);
  return /^\s*(?:[<>/]|null\s*$)/.test(value) ? [name] : [name, ...queryTerms(value)];
}
