import type { Door } from '../../base/caller.ts';
import { folderOf } from '../../tools/wording/describe-change.ts';
import { go } from '../page/address.ts';
import type { ActivityFilter, Place, Since } from '../page/place.ts';
import { Pick, Toggle } from '../parts/pick.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { shownClient } from '../words/client-name.ts';
import { clients, rows } from './feed-state.ts';

type Activity = Extract<Place, { screen: 'activity' }>;

/** The filters of the feed. Each is part of the address. */
export function FeedFilters({ place }: { readonly place: Activity }) {
  const { filter } = place;
  const choose = (
    some: { [Key in keyof ActivityFilter]: ActivityFilter[Key] | undefined },
  ): void => {
    const chosen = Object.entries({ ...filter, ...some }).filter(
      ([, value]) => value !== undefined,
    );
    const { undo: _, ...rest } = place;
    go({ ...rest, filter: Object.fromEntries(chosen) as ActivityFilter });
  };
  const names = withOwn(clients.value, filter.client);
  const folders = withOwn(foldersOf(), filter.path);
  return (
    <fieldset class="filters" aria-label={activityStrings.filters}>
      <Pick
        label={activityStrings.client}
        all={activityStrings.allClients}
        value={filter.client}
        options={names.map((name) => [name, shownClient(doorOf(name), name).name])}
        choose={(client) => choose({ client })}
      />
      <Pick
        label={activityStrings.folder}
        all={activityStrings.anyFolder}
        value={filter.path}
        options={folders.map((folder) => [folder, folder])}
        choose={(path) => choose({ path })}
      />
      <Pick
        label={activityStrings.time}
        all={activityStrings.anyTime}
        value={filter.since}
        options={Object.entries(activityStrings.since)}
        choose={(since) => choose({ since: since as Since | undefined })}
      />
      <Toggle
        label={activityStrings.deletesAndMoves}
        isOn={filter.kind !== undefined}
        flip={() => choose({ kind: filter.kind === undefined ? 'removing' : undefined })}
      />
      <Toggle
        label={activityStrings.hideUndone}
        isOn={filter.undone !== undefined}
        flip={() => choose({ undone: filter.undone === undefined ? 'hide' : undefined })}
      />
    </fieldset>
  );
}

/** Through which door a client came last; the same client has another name at another door. */
function doorOf(name: string): Door {
  return rows.value.find(({ client }) => client?.startsWith(name))?.door ?? 'mcp-http';
}

/** The top folders of what the feed has shown, for want of a list of all. */
function foldersOf(): string[] {
  const found = new Set<string>();
  for (const { files } of rows.value) {
    for (const { path } of files) {
      const [top = ''] = folderOf(path).split('/');
      if (top !== '') found.add(top);
    }
  }
  return Array.from(found).sort();
}

function withOwn(names: readonly string[], own: string | undefined): readonly string[] {
  return own === undefined || names.includes(own) ? names : [own, ...names];
}
