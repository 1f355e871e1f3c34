import { readdirSync, readFileSync } from 'node:fs';

/**
 * The resident memory of a process and of all its children, in megabytes. Memory that several of
 * them share is counted for each. Undefined on systems other than Linux, and if the process has
 * ended.
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
