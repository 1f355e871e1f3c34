/** Prints a table with a column for each key of `rows` and a row for each figure. */
export function printTable(rows: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  const figures = Object.keys(Object.values(rows)[0] ?? {});
  console.table(
    Object.fromEntries(
      figures.map((figure) => [
        figure,
        Object.fromEntries(Object.entries(rows).map(([size, row]) => [size, row[figure]])),
      ]),
    ),
  );
}
