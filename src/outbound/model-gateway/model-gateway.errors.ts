import { AppError, appError } from '../../kernel/common';

/** 400: what was sent is no call to a model. */
export class ModelCallInvalidError extends AppError {
  /** @param why a sentence */
  constructor(why: string) {
    super(400, 'model_call_invalid', why);
  }
}

/** 400: a field that would have the provider do more than the gateway can see. */
export class ParameterRefusedError extends AppError {
  constructor(name: string, why: string) {
    super(400, 'parameter_refused', `The gateway does not take "${name}": ${why}.`);
  }
}

/** 404: nobody has set how this model is reached. */
export class ModelUnreachableError extends AppError {
  constructor(model: string) {
    super(
      404,
      'model_not_reachable',
      `There is no address and no key for the model "${model}": set one in your settings, as a profile, or have an administrator connect its provider.`,
    );
  }
}

/** 429: as many calls are under way as there may be. */
export class GatewayBusyError extends AppError {
  /** @param whose calls there are too many of */
  constructor(whose: string, retryAfterSeconds = 1) {
    super(429, 'model_gateway_busy', `Too many calls ${whose} are under way; try again later.`, {
      'Retry-After': String(retryAfterSeconds),
    });
  }
}

/** 429: the provider asked to wait with this key. */
export class ProviderBusyError extends AppError {
  constructor(milliseconds: number) {
    super(429, 'provider_busy', 'The provider of the model asked to wait with this key; try again later.', {
      'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1_000))),
    });
  }
}

/** 403: the provider does not take the key that is set for it. */
export const ProviderKeyRefusedError = appError(
  403,
  'provider_key_refused',
  'The provider refused the key that is set for this model: check it in the settings, the profile or the connection that it comes from.',
);

/** 502: the provider of the model cannot be reached, or gave no answer. */
export class ProviderUnavailableError extends AppError {
  constructor(why: string, options?: ErrorOptions) {
    super(502, 'provider_unavailable', `The provider of the model cannot be reached: ${why}.`, {}, options);
  }
}

/** 504: the provider did not begin to answer in time. */
export const ProviderTimeoutError = appError(
  504,
  'provider_timeout',
  'The provider of the model did not answer in time.',
);
