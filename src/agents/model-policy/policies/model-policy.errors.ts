import { AppError } from '../../../kernel/common';

const LONGEST_SHOWN = 255;

/** 403: the organization may not use this model, or the person's role may not (docs/model-policy.md). */
export class ModelNotAllowedError extends AppError {
  /** @param why a sentence */
  constructor(model: string, why: string) {
    super(403, 'model_not_allowed', `The model ${model.slice(0, LONGEST_SHOWN)} is not allowed: ${why}`);
  }
}

/** 403: nobody knows what this model costs, and what is not known is refused (docs/model-policy.md#prices). */
export class ModelPriceUnknownError extends AppError {
  constructor(model: string) {
    super(
      403,
      'model_price_unknown',
      `The price of the model ${model.slice(0, LONGEST_SHOWN)} is not known: whoever runs the service sets it in MODEL_PRICES.`,
    );
  }
}
