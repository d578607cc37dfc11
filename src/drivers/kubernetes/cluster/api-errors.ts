import { z } from 'zod';

/** Statuses of a server that has too much to do, or changes its leader. */
const PASSING = new Set([429, 500, 502, 503, 504]);
/** However long a server asks to be left alone. */
const MAX_WAIT_MS = 60_000;

/** The API server said no: its status, and its `Status` object's reason and sentence. */
export class ApiRefusal extends Error {
  /** @param waitMs for how long the server wants to be left alone; 0 where it does not say */
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly sentence: string,
    readonly waitMs = 0,
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

/**
 * The error in a failed response, or in an `ERROR` of a watch.
 * @param retryAfter the header of that name, in seconds
 */
export function refusalOf(status: number, body: unknown, retryAfter?: string | string[]): ApiRefusal {
  const parsed = statusObject.safeParse(body);
  const seconds = Number(retryAfter);
  const waitMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, MAX_WAIT_MS) : 0;
  if (!parsed.success) return new ApiRefusal(status, '', 'The cluster refused without saying why', waitMs);
  const { code, reason, message } = parsed.data;
  return new ApiRefusal(code ?? status, reason, message === '' ? reason : message, waitMs);
}

/** Whether the same call may succeed in a moment; also where somebody else changed the object at the same time. */
export function isPassing({ status, reason }: ApiRefusal): boolean {
  return PASSING.has(status) || (status === 409 && reason === 'Conflict');
}

/** Whether the state that a watch was to begin with is not kept any more. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiRefusal && (error.status === 410 || error.reason === 'Expired');
}

/** Whether an object, or the kind of object, is not there. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiRefusal && error.status === 404;
}

/** Whether an object that was to be made is there already. */
export function isThereAlready(error: unknown): boolean {
  return error instanceof ApiRefusal && error.status === 409;
}
