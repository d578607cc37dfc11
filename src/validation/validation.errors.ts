import { AppError } from '../common';

/** One entry of the body of a validation error, its keys in the order in which they are answered. */
export interface RequestFault {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** How a handler answers faults: see `ValidationStatus` and `PlainFaults`. */
export interface FaultAnswer {
  readonly status: number;
  /** Entries carry `loc`, `msg` and `type` only. */
  readonly plain: boolean;
}

/** The request was understood and is not valid: `{"detail": [...]}` with every fault found (decisions 4). */
export class ValidationError extends AppError {
  constructor(
    readonly faults: readonly RequestFault[],
    private readonly answer: FaultAnswer = { status: 422, plain: false },
  ) {
    super(answer.status, 'validation_failed', 'The request is not valid.');
  }

  override toBody(): unknown {
    return {
      detail: this.answer.plain ? this.faults.map(({ loc, msg, type }) => ({ loc, msg, type })) : this.faults,
    };
  }
}

/** 400: the bytes of the body are no text, or nest too deep to be read. */
export class BodyParseError extends AppError {
  constructor() {
    super(400, 'body_unreadable', 'There was an error parsing the body');
  }
}
