import { isRecord } from '../../kernel/common';
import { type Model, model, RequestPlan, ValidationError } from '../../kernel/validation';

/** What becomes of a body: what a handler gets, or the `detail` of the 422. */
export type CheckedBody<Dto> = { readonly value: Dto } | { readonly detail: readonly unknown[] };

/**
 * Checks a body as the service checks it for a handler that declares the class, without a service.
 * @param dto a class with fields that are declared
 * @param body what JSON can say
 */
export function checkBody<Dto extends object>(dto: new () => Dto, body: unknown): CheckedBody<Dto> {
  const of: Model = dto;
  const plan = new RequestPlan({
    params: undefined,
    query: undefined,
    headers: undefined,
    body: model(() => of).shape,
    validationResponse: { status: 422, plain: false },
  });
  const parsed = plan.parseBody(Buffer.from(JSON.stringify(body)), 'application/json');
  const { issues, values } = plan.check({ params: {}, rawQuery: '', headers: {}, body: parsed });
  if (values.body instanceof dto) return { value: values.body };
  const answered: unknown = JSON.parse(new ValidationError(issues).toJsonText());
  return { detail: isRecord(answered) && Array.isArray(answered.detail) ? answered.detail : [] };
}
