/** A start that cannot succeed, with the sentence that its task shows. */
export class StartFailedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'StartFailedError';
  }
}
