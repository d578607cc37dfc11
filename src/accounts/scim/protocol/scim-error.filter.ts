import { Catch } from '@nestjs/common';
import type { AppError } from '../../../kernel/common';
import { ErrorFilter, type ErrorResponse } from '../../../kernel/http';
import { ValidationError } from '../../../kernel/validation';
import { ScimError } from '../record/scim.errors';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The content type of what the protocol answers. */
export const SCIM_JSON = 'application/scim+json';

/** Answers errors of all kinds as the protocol has them (RFC 7644, section 3.12), with the service's own name beside it. */
@Catch()
export class ScimErrorFilter extends ErrorFilter {
  protected override responseOf(error: AppError, errorId: string | null): ErrorResponse {
    const isMalformed = error instanceof ValidationError;
    const status = isMalformed ? 400 : error.status;
    const scimType = isMalformed ? 'invalidSyntax' : error instanceof ScimError ? error.scimType : null;
    const body = {
      schemas: [ERROR_SCHEMA],
      status: String(status),
      ...(scimType !== null && { scimType }),
      detail: error.message,
      ...(!(error instanceof ScimError) && { code: error.code }),
      ...(errorId !== null && { error_id: errorId }),
    };
    return { status, type: SCIM_JSON, text: JSON.stringify(body) };
  }
}
