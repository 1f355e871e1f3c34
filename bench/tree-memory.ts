import { readdirSync, readFileSync } from 'node:fs';

/**
 * The memory that a process and all it has started hold, in megabytes, as Linux counts it: pages
 * that they share count once for each. Undefined on other systems, and when the process is gone.
 */
export function treeMemoryMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const below = childrenOf(pid).map((child) => treeMemoryMb(child) ?? 0);
    return below.reduce((sum, each) => sum + each, Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
    .flatMap((children) => children.trim().split(/\s+/).filter(Boolean).map(Number));
}
