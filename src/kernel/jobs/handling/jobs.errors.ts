/**
 * The worker's lease has expired or was revoked, so another worker may already be running the job. The job must
 * not write anything more. Never sent to a client.
 */
export class LeaseLostError extends Error {
  constructor() {
    super('This worker has lost its lease; its jobs belong to other workers now.');
    this.name = 'LeaseLostError';
  }
}
