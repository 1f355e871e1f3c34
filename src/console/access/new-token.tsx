import { useState } from 'preact/hooks';
import type { CreateTokenAnswer, CreateTokenRequest } from '../../doors/console/console-wire.ts';
import { type ApiFailure, asFailure } from '../page/api.ts';
import { me } from '../page/server-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { accessStrings } from '../words/access-strings.ts';
import { strings } from '../words/strings.ts';
import { createToken } from './access-state.ts';

type Right = CreateTokenRequest['effects'][number];
type Toolset = NonNullable<CreateTokenRequest['tools']>[number];

const rightsOffered: readonly Right[] = ['read', 'write', 'destroy', 'propose'];
const toolsets: readonly Toolset[] = ['notes', 'obsidian', 'agent'];
const daysOffered = [1, 30, 90] as const;

/** Asks what a new token is for: its name, when it ends, rights, folders and toolsets. */
export function NewTokenDialog({
  name: suggested,
  onMade,
  onClose,
}: {
  readonly name: string;
  readonly onMade: (made: CreateTokenAnswer) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(suggested);
  const [rights, setRights] = useState<readonly Right[]>(['read', 'write']);
  const [folders, setFolders] = useState('');
  const [tools, setTools] = useState<readonly Toolset[]>(['notes']);
  const [ends, setEnds] = useState('90');
  const [date, setDate] = useState('');
  const [failure, setFailure] = useState<ApiFailure | undefined>(undefined);
  const make = async (): Promise<void> => {
    const listed = folders
      .split('\n')
      .map((folder) => folder.trim())
      .filter((folder) => folder !== '');
    const expiresMs = endOf(ends, date);
    try {
      onMade(
        await createToken({
          name: name.trim(),
          effects: rights,
          ...(listed.length === 0 ? {} : { folders: listed }),
          ...(tools.length === 0 ? {} : { tools }),
          ...(expiresMs === undefined ? {} : { expiresMs }),
        }),
      );
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  return (
    <Dialog
      title={accessStrings.newToken}
      more={accessStrings.newTokenMore}
      onClose={onClose}
      footer={
        <>
          <span class="grow" />
          <button type="button" class="btn" onClick={onClose}>
            {strings.cancel}
          </button>
          <button type="button" class="btn main" disabled={name.trim() === ''} onClick={make}>
            {accessStrings.makeToken}
          </button>
        </>
      }
    >
      <div class="form">
        {failure === undefined ? undefined : (
          <p class="note-line bad" role="alert">
            <Icon name="warning" /> {failure.message}
          </p>
        )}
        <label class="labelled">
          {accessStrings.tokenName}
          <input
            class="field"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label class="labelled">
          {accessStrings.tokenEnds}
          <select
            class="field"
            value={ends}
            onChange={({ currentTarget }) => setEnds(currentTarget.value)}
          >
            {daysOffered.map((days) => (
              <option key={days} value={String(days)}>
                {accessStrings.inDays(days)}
              </option>
            ))}
            <option value="date">{accessStrings.onDate}</option>
            <option value="never">{accessStrings.never}</option>
          </select>
        </label>
        {ends === 'date' ? (
          <label class="labelled">
            {accessStrings.lastDay}
            <input
              class="field"
              type="date"
              value={date}
              onInput={({ currentTarget }) => setDate(currentTarget.value)}
            />
          </label>
        ) : undefined}
        <fieldset>
          <legend>{accessStrings.tokenMay}</legend>
          {rightsOffered.map((right) => (
            <Tick
              key={right}
              label={accessStrings.rights[right]}
              more={accessStrings.rightsMore[right]}
              isOn={rights.includes(right)}
              flip={() => setRights(flipped(rights, right, rightsOffered))}
            />
          ))}
        </fieldset>
        <label class="labelled">
          {accessStrings.tokenFolders}
          <textarea
            class="field"
            rows={2}
            placeholder={accessStrings.tokenFoldersHint}
            value={folders}
            onInput={({ currentTarget }) => setFolders(currentTarget.value)}
          />
        </label>
        <fieldset>
          <legend>{accessStrings.tokenTools(me.value?.toolsets ?? [])}</legend>
          {toolsets.map((toolset) => (
            <Tick
              key={toolset}
              label={toolset}
              more={accessStrings.toolsetsMore[toolset]}
              isOn={tools.includes(toolset)}
              flip={() => setTools(flipped(tools, toolset, toolsets))}
            />
          ))}
        </fieldset>
      </div>
    </Dialog>
  );
}

/** When a token ends; undefined for never. A date means the end of that day here. */
function endOf(ends: string, date: string): number | undefined {
  if (ends === 'never') return undefined;
  if (ends !== 'date') return Date.now() + Number(ends) * 86_400_000;
  const end = new Date(`${date}T23:59:59`).getTime();
  return Number.isNaN(end) ? undefined : end;
}

function flipped<Item>(items: readonly Item[], item: Item, all: readonly Item[]): Item[] {
  return all.filter((each) => items.includes(each) !== (each === item));
}

function Tick({
  label,
  more,
  isOn,
  flip,
}: {
  readonly label: string;
  readonly more?: string;
  readonly isOn: boolean;
  readonly flip: () => void;
}) {
  return (
    <label class="tick">
      <input type="checkbox" checked={isOn} onChange={flip} />
      <span>
        {label}
        {more === undefined ? undefined : <small>{more}</small>}
      </span>
    </label>
  );
}
