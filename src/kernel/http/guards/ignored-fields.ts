import { SetMetadata } from '@nestjs/common';

/** Metadata key of {@link ReportsIgnoredFields}. */
export const REPORTS_IGNORED_FIELDS = 'ocs:reports-ignored-fields';

/** The header of responses that names them. */
export const IGNORED_FIELDS = 'X-Ignored-Fields';

/** For the document: what responses of a route with {@link ReportsIgnoredFields} have. */
export const IGNORED_FIELDS_HEADER = {
  [IGNORED_FIELDS]: { $ref: `#/components/headers/${IGNORED_FIELDS}` },
};

const MAX_KEY_LENGTH = 100;
const MAX_LENGTH = 2_000;

/** Responses name the fields of the body that nothing reads (docs/contract.md#start-request). */
export function ReportsIgnoredFields(): MethodDecorator {
  return SetMetadata(REPORTS_IGNORED_FIELDS, true);
}

/** Paths of fields as the value of the header: callers choose their names, and how many there are. */
export function ignoredFieldsText(paths: Iterable<readonly (string | number)[]>): string {
  const names: string[] = [];
  let length = 0;
  for (const path of paths) {
    const name = path.map(stepText).join('.');
    length += name.length + 2;
    if (length > MAX_LENGTH) return [...names, '...'].join(', ');
    names.push(name);
  }
  return names.join(', ');
}

/** What separates names, and what headers cannot carry, is escaped. */
function stepText(step: string | number): string {
  const key = String(step).slice(0, MAX_KEY_LENGTH).toWellFormed();
  return encodeURIComponent(key).replaceAll('.', '%2E');
}
