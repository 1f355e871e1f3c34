import type { ConsoleAnswers } from '../../tools/console/console-answers.ts';

type Conflict = Pick<ConsoleAnswers['conflict'], 'total' | 'choices' | 'how'>;

/** Whose lines are taken where both sides changed something. */
export const sides = ['original', 'copy', 'both'] as const;
export type Side = (typeof sides)[number];

/** What was chosen for the numbered differences, and for all others. */
export interface Choices {
  readonly each: ReadonlyMap<number, Side>;
  readonly others?: Side;
}

/** How many differences have no number on the page: there are too many to show, or the file is whole. */
export function unnumbered({ total, choices }: Conflict): number {
  return total - choices.length;
}

/** How many differences are chosen. */
export function chosenCount(conflict: Conflict, { each, others }: Choices): number {
  return each.size + (others === undefined ? 0 : unnumbered(conflict));
}

/** The choices as the tool takes them: `both,1=copy`. Empty when there is nothing to choose. */
export function chooseText({ each, others }: Choices): string {
  const numbered = Array.from(each).toSorted(([a], [b]) => a - b);
  return [
    ...(others === undefined ? [] : [others]),
    ...numbered.map(([number, side]) => `${number}=${side}`),
  ].join(',');
}
