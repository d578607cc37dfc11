/** What a row of the ledger says of its call; `lost` ones are of processes that died, and counted by what they could cost. */
export const CALL_STATUSES = ['reserved', 'ok', 'failed', 'interrupted', 'lost'] as const;

export type CallStatus = (typeof CALL_STATUSES)[number];
