import { packView } from '../../bases/query/packed-view.ts';
import { runView, type ViewRequest, type ViewResult } from '../../bases/query/run-view.ts';
import type { JsonFacts } from '../../bases/query/view-runner.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { isStored, namedFiles, vaultFacts } from './vault-facts.ts';

/**
 * Evaluates a view over the facts of the vault, in another thread: what a base calculates may take as
 * long as the call has time, and nobody else waits for it.
 */
export async function evaluateView(vault: BoundVault, request: ViewRequest): Promise<ViewResult> {
  const { views } = vault.vault.parts;
  const packed = views === undefined ? undefined : packView(request);
  if (views === undefined || packed === undefined) return runView(await vaultFacts(vault), request);
  const found = await views.run(packed.view, await jsonFacts(vault), vault.caller.signal);
  return { ...found, errors: packed.placed(found.errors) };
}

/** The facts of `vaultFacts`, as the index gives them. */
async function jsonFacts(vault: BoundVault): Promise<JsonFacts> {
  const listed = await vault.listedView();
  return {
    files: ({ parts, ...request }) =>
      vault.ask('facts', (store) =>
        store.queried(listed, { ...request, parts: parts.filter(isStored) }),
      ),
    load: (paths, parts) =>
      vault.ask('facts', (store) =>
        store.queried(vault.view(), { paths, parts: parts.filter(isStored) }),
      ),
    named: (names) => namedFiles(vault, names),
  };
}
