export function countBases(folder: string): Record<string, readonly string[] | string>;
