import { signal } from '@preact/signals';
import { screenKeys } from '../page/keys.ts';
import { changeSettings, settings } from '../page/settings.ts';
import { Dialog } from '../parts/dialog.tsx';
import { strings } from '../words/strings.ts';

export const showsKeys = signal(false);

const { keyWords } = strings;
const rows: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['/', 'Ctrl K'], strings.findNote],
  [['j', '↓'], keyWords.next],
  [['k', '↑'], keyWords.previous],
  [['Enter'], keyWords.open],
  [['Esc'], keyWords.back],
  [['u'], keyWords.undo],
  [['Shift U'], keyWords.undoSession],
  [['r'], keyWords.redo],
  [['d'], keyWords.words],
  [['?'], keyWords.help],
];

/** All keys, and a switch for those that are single letters. */
export function KeysDialog() {
  if (!showsKeys.value) return null;
  const { singleKeys } = settings.value;
  const close = (): void => {
    showsKeys.value = false;
  };
  return (
    <Dialog
      title={strings.keys}
      more={singleKeys ? strings.keysOn : strings.keysOff}
      onClose={close}
      footer={
        <>
          <button
            type="button"
            class="btn quiet"
            onClick={() => changeSettings({ singleKeys: !singleKeys })}
          >
            {singleKeys ? strings.switchKeysOff : strings.switchKeysOn}
          </button>
          <span class="grow" />
          <button type="button" class="btn" onClick={close}>
            {strings.close}
          </button>
        </>
      }
    >
      <dl class="keys-list">
        {rows.map(([keys, words]) => (
          <>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </>
        ))}
        {Object.entries(screenKeys).map(([key, screen]) => (
          <>
            <dt>
              <kbd>g</kbd> {strings.andThen} <kbd>{key}</kbd>
            </dt>
            <dd>{strings.screens[screen]}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
