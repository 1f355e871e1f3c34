import type { IndexStore } from '../ports/index-store.ts';

/**
 * Does work that only one process at a time should do. While another process holds the lease, `wait`
 * is called, until it answers false: then the work is not done. The lease is free when the other
 * process releases it, ends or dies.
 */
export async function withLease(
  store: IndexStore,
  { wait, work }: { readonly wait: () => Promise<boolean>; readonly work: () => Promise<void> },
): Promise<void> {
  while (!(await store.tryLease())) if (!(await wait())) return;
  try {
    await work();
  } finally {
    await store.releaseLease();
  }
}
