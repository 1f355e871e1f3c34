/** One step of the layout, which the package does not describe. */
declare module 'graphology-layout-forceatlas2/iterate.js' {
  function iterate(
    settings: Readonly<Record<string, number | boolean>>,
    nodes: Float32Array,
    edges: Float32Array,
  ): unknown;
  export = iterate;
}
