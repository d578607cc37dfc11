import { ANTHROPIC } from './anthropic-prices';
import { GOOGLE } from './google-prices';
import { OPENAI } from './openai-prices';
import { OTHERS } from './others-prices';
import type { ListedPrices } from './price';

/** The day whose public price lists these prices are from. */
export const LISTED_ON = '2026-11-28';

/** What comes with the service: names of models with their providers, and what these ask for at their standard speed. */
export const LISTED_PRICES: ListedPrices = { ...ANTHROPIC, ...GOOGLE, ...OPENAI, ...OTHERS };
