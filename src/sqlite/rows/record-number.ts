/** The number in an id such as `q7`; -1, which no record has, when it is no such id. */
export function recordNumber(letter: 'p' | 'q', id: string): number {
  return id.startsWith(letter) && /^[1-9]\d{0,14}$/.test(id.slice(1)) ? Number(id.slice(1)) : -1;
}
