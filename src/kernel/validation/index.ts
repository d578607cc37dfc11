export { BodyList } from './declaration/body-list';
export {
  type ExampleSource,
  forbidsExtraKeys,
  ForbidExtraKeys,
  type FieldOptions,
} from './declaration/declaration';
export { VALIDATION_STATUS, PlainErrors, ValidationStatus } from './errors/validation-response';
export { declaredFields } from './declaration/declared-fields';
export { Field } from './declaration/field';
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
} from './declaration/field-types';
export { emailAddressIn, readEmailAddress } from './email/check-email';
export { checkGiven, checkGivenList } from './request/given';
export { ParsedBody } from './request/parse-body';
export { finiteJson } from './json/raw-json';
export { rawJsonAt, rawJsonItems } from './json/raw-json';
export { EXAMPLE_FROM, fieldModels, referencedModels } from './declaration/openapi-fields';
export {
  RequestPlan,
  type CheckedRequest,
  type RawRequest,
  type RequestValues,
} from './request/request-plan';
export { RequestPlans } from './request/request-plans';
export { readUuid } from './scalars/uuid';
export { HTTPValidationError } from './errors/validation-error.dto';
export { BodyParseError, ValidationError, type ValidationIssue } from './errors/validation.errors';
