import { AppError } from '../../../../kernel/common';

/** 400: the days asked for are none, or too many (docs/contract.md#usage). */
export class UsagePeriodInvalidError extends AppError {
  /** @param reason a clause about them */
  constructor(reason: string) {
    super(400, 'usage_period_invalid', `The period cannot be answered: ${reason}.`);
  }
}
