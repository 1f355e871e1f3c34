import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
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
      title={failure === undefined ? strings.undoPart : strings.undoFailed}
      more={failure?.message ?? strings.undoPartMore(left.length)}
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
              <Icon name="redo" /> {strings.redoAll}
            </button>
          )}
          <button type="button" class="btn main" onClick={close}>
            {redo === undefined ? strings.close : strings.keepIt}
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
