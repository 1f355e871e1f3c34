/**
 * A number as people write it: "5,000". Without `Intl`, whose first use in a process takes a fifth of
 * the time that Node itself takes to start.
 */
export function groupedNumber(number: number): string {
  return String(number).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}
