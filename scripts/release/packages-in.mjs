/**
 * The folders of the packages whose code is in what esbuild has written, such as `node_modules/zod`,
 * relative to the folder in which it has worked. Packages that were left out as unused are not named.
 */
export function packagesIn({ outputs }) {
  const found = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [folder] = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined && bytesInOutput > 0) found.add(folder);
    }
  }
  return [...found].sort();
}
