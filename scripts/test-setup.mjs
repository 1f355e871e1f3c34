// Runs `vaultdoor setup` and `vaultdoor setup --server` as a person does: in a real terminal, with a
// home folder of its own, with the answers that a person types; also where something is broken. So it
// does with `vaultdoor undo`, which asks as well.
import { apps, interrupted, keptRights, oddAnswers, otherServers, scripts } from './setup/apps.mjs';
import { broken } from './setup/broken.mjs';
import { server, service, signIn } from './setup/servers.mjs';
import { undoLast } from './setup/undo.mjs';

await Promise.all([
  apps(),
  interrupted(),
  otherServers(),
  keptRights(),
  oddAnswers(),
  scripts(),
  server(),
  signIn(),
  service(),
  broken(),
  undoLast(),
]);
