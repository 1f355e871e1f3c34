import type { Piece } from '../words/strings.ts';

/** A sentence whose names stand out. */
export function Sentence({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <b>
            <bdi>{piece.name}</bdi>
          </b>
        ),
      )}
    </>
  );
}
