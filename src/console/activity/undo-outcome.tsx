import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { activityStrings } from '../words/activity-strings.ts';
import { strings } from '../words/strings.ts';
import { redoNow, undoRest } from './undo-actions.ts';
import { LeftFiles } from './undo-preview.tsx';

/** Says what an undo could not do, and why. */
export function UndoOutcome() {
  const rest = undoRest.value;
  if (rest === undefined) return null;
  const { left, redo, failure } = rest;
  const close = (): void => {
    undoRest.value = undefined;
  };
  return (
    <Dialog
      title={failure === undefined ? activityStrings.undoPart : activityStrings.undoFailed}
      more={failure?.message ?? activityStrings.undoPartMore(left.length)}
      onClose={close}
      footer={
        <>
          <span class="grow" />
          {redo === undefined ? undefined : (
            <button
              type="button"
              class="btn"
              onClick={() => {
                close();
                void redoNow(redo);
              }}
            >
              <Icon name="redo" /> {activityStrings.redoAll}
            </button>
          )}
          <button type="button" class="btn main" onClick={close}>
            {redo === undefined ? strings.close : activityStrings.keepIt}
          </button>
        </>
      }
    >
      {left.length === 0 ? undefined : (
        <ul class="list preview">
          <LeftFiles left={left} />
        </ul>
      )}
    </Dialog>
  );
}
