import { signal } from '@preact/signals';
import type { ProposalsAnswer, QuestionsAnswer } from '../../doors/console/console-wire.ts';
import { type ApiFailure, asFailure, get } from '../page/api.ts';

export const questions = signal<QuestionsAnswer | undefined>(undefined);
export const proposals = signal<ProposalsAnswer | undefined>(undefined);
export const approvalsFailure = signal<ApiFailure | undefined>(undefined);

/** Asks for what waits and what was decided. What is shown stays until the answer is there. */
export async function loadApprovals(): Promise<void> {
  try {
    const [asked, proposed] = await Promise.all([
      get<QuestionsAnswer>('/questions'),
      get<ProposalsAnswer>('/proposals'),
    ]);
    questions.value = asked;
    proposals.value = proposed;
    approvalsFailure.value = undefined;
  } catch (error) {
    approvalsFailure.value = asFailure(error);
  }
}
