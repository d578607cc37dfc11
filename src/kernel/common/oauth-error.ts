import { AppError } from './app-error';

/** An {@link AppError} that has the fields of OAuth (RFC 6749, section 5.2), too: its code is the `error`. */
export class OAuthError extends AppError {
  override toBody(): Readonly<Record<string, unknown>> {
    return { error: this.code, error_description: this.message, detail: this.message, code: this.code };
  }
}

/** Declares an error of OAuth whose status, code and sentence are fixed. @returns its class, to throw and to recognize it */
export function oauthError(status: number, code: string, detail: string): new () => OAuthError {
  const Fixed = class extends OAuthError {
    constructor() {
      super(status, code, detail);
    }
  };
  return Object.defineProperty(Fixed, 'name', { value: code });
}
