import { SetMetadata } from '@nestjs/common';
import { ParsedBody } from '../../validation';

/** Metadata key of {@link TakesForms}. */
export const TAKES_FORMS = 'ocs:takes-forms';

const FORM = /^application\/x-www-form-urlencoded(?:;|$)/i;

/** A route that takes its body as a form as well as as JSON, as OAuth has it; an empty one is one without fields. */
export function TakesForms(): MethodDecorator {
  return SetMetadata(TAKES_FORMS, true);
}

/** Whether a body of this content type is a form. */
export function isForm(contentType: string | undefined): boolean {
  return FORM.test(contentType?.trim() ?? '');
}

/** Reads a form as an object of texts; of a field that comes twice, the last counts. */
export function parseForm(bytes: Buffer): ParsedBody {
  const text = bytes.toString('utf8');
  return new ParsedBody(text, Object.fromEntries(new URLSearchParams(text)), false, true);
}
