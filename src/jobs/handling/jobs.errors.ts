/**
 * The process has lost its right to the job it is running: another worker may run it by now. Nothing more
 * may be written on the job's behalf. Never answered to a caller.
 */
export class LeaseLostError extends Error {
  constructor() {
    super('The lease of this worker is over; its jobs belong to others now.');
    this.name = 'LeaseLostError';
  }
}
