/** A start that cannot succeed, with the sentence its task tells. */
export class StartFailedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'StartFailedError';
  }
}
