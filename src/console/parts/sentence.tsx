import type { Piece } from '../../tools/wording/change-sentences.ts';
import { VisibleText } from './visible-text.tsx';

/** A sentence whose names stand out. */
export function Sentence({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <b>
            <bdi>
              <VisibleText text={piece.name} />
            </bdi>
          </b>
        ),
      )}
    </>
  );
}
