import { z } from 'zod';

/** The API server said no: its status, and its `Status` object's reason and sentence. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly sentence: string,
  ) {
    super(`${sentence} (${status} ${reason})`);
    this.name = 'ApiRefusal';
  }
}

/** The API server does not answer, or has too much to do. */
export class ApiUnavailable extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(
      `The API server of the cluster does not answer (${what}): see that it runs, and that the kubeconfig has its address.`,
      options,
    );
    this.name = 'ApiUnavailable';
  }
}

const statusObject = z.object({
  code: z.number().optional(),
  reason: z.string().default(''),
  message: z.string().default(''),
});

/** What a response that is no success, or an `ERROR` of a watch, says. */
export function refusalOf(status: number, body: unknown): ApiRefusal {
  const parsed = statusObject.safeParse(body);
  if (!parsed.success) return new ApiRefusal(status, '', 'The cluster refused without saying why');
  const { code, reason, message } = parsed.data;
  return new ApiRefusal(code ?? status, reason, message === '' ? reason : message);
}

/** Whether the state that a watch was to begin with is not kept any more. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiRefusal && (error.status === 410 || error.reason === 'Expired');
}

/** Whether an object, or the kind of object, is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiRefusal && error.status === 404;
}

/** Whether an object is there already. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiRefusal && error.status === 409;
}
