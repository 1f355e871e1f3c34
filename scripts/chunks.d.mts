import type { BuildOptions } from 'esbuild';

export interface Chunk {
  readonly name: string;
  readonly entryPoint?: string;
  readonly code: string;
  readonly needs: readonly string[];
}

export function chunksOf(
  entry: string,
  options: BuildOptions & { readonly absWorkingDir: string },
): Promise<{
  readonly chunks: readonly Chunk[];
  readonly main: string;
  readonly packages: readonly string[];
}>;

export function asBody(
  text: string,
  told: { readonly imports: readonly string[]; readonly exports: readonly string[] },
): string;

export function inAscii(text: string): string;
