export { ModelPolicyModule } from './model-policy.module';
export { fullModelName } from './patterns/model-name';
export { type ModelLimits, ModelPolicies } from './policies/model-policies';
export { ModelNotAllowedError, ModelPriceUnknownError } from './policies/model-policy.errors';
export { ModelPrices } from './prices/model-prices';
export { type CallSize, LARGEST_OUTPUT, type ModelPrice, type PricedTokens } from './prices/price';
export { REFUSAL_CODES, type RefusalCode } from './refusals/model-refusals';
