export { BodyList } from './body-list';
export { ForbidExtraKeys, type FieldOptions } from './declaration';
export { PlainFaults, ValidationStatus } from './fault-answer';
export { Field } from './field';
export {
  anything,
  boolean,
  commaList,
  dateTime,
  dictionary,
  email,
  integer,
  list,
  literal,
  model,
  number,
  oneOf,
  string,
  union,
  uuid,
  type Bounds,
  type FieldType,
  type Model,
  type TextRule,
} from './field-types';
export { emailAddressIn } from './email/check-email';
export { ParsedBody } from './json/parse-body';
export { rawJsonAt, rawJsonItems } from './json/raw-json';
export { referencedModels } from './openapi-fields';
export { RequestPlan, type CheckedRequest, type RawRequest, type RequestValues } from './request-plan';
export { RequestPlans } from './request-plans';
export { readUuid } from './scalars/uuid';
export { HTTPValidationError } from './validation-error.dto';
export { BodyParseError, ValidationError, type RequestFault } from './validation.errors';
