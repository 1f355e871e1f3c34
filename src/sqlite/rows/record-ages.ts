import { limits } from '../../base/limits.ts';

const agesMaxMs = { question: limits.questionAgeMaxMs, proposal: limits.proposalAgeMaxMs };

export type AgingTable = keyof typeof agesMaxMs;

/** Rows with this time, or an earlier one, are gone. */
export function goneMs(table: AgingTable, nowMs: number): number {
  return nowMs - agesMaxMs[table];
}

/** Rows with this time, or an earlier one, can be deleted: for a while, a question counts as denied. */
export function forgottenMs(table: AgingTable, nowMs: number): number {
  return goneMs(table, nowMs) - (table === 'question' ? limits.brakeMs : 0);
}
