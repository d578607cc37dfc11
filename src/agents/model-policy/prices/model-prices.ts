import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import { closestPattern } from '../patterns/model-pattern';
import { fullModelName } from '../patterns/model-name';
import { LISTED_ON, LISTED_PRICES } from './listed-prices';
import {
  type CallSize,
  costOf,
  type ListedPrices,
  type ModelPrice,
  mostOf,
  type PricedTokens,
} from './price';

/** Where a price comes from: a setting, the lists that come with the service, or what unknown models are counted by. */
export const PRICE_SOURCES = ['setting', 'built_in', 'unknown'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** A price, for what it stands, and since when. */
export interface SourcedPrice {
  /** A pattern of a setting, or the name of a model. */
  readonly model: string;
  readonly price: ModelPrice;
  readonly source: PriceSource;
  /** The day of the lists; null for what the settings say. */
  readonly listedOn: string | null;
}

const MOST_KNOWN = 10_000;

/** What models cost (docs/model-policy.md#prices). */
@Injectable()
export class ModelPrices {
  private readonly ofSettings: ListedPrices;
  private readonly ofUnknown: ModelPrice | null;
  /** Names come with every call. */
  private readonly known = new Map<string, SourcedPrice | null>();

  constructor(@Inject(SETTINGS) { MODEL_PRICES, MODEL_PRICE_UNKNOWN }: Settings) {
    this.ofSettings = Object.fromEntries(
      Object.entries(MODEL_PRICES).map(([pattern, { input, output, cache_read, cache_write }]) => [
        pattern,
        {
          input,
          output,
          ...(cache_read !== undefined && { cacheRead: cache_read }),
          ...(cache_write !== undefined && { cacheWrite: cache_write }),
        },
      ]),
    );
    this.ofUnknown = MODEL_PRICE_UNKNOWN;
  }

  /**
   * What a model costs.
   * @param model its name, with its provider or without
   * @returns null where nobody knows, and what is not known is refused
   */
  priceOf(model: string): ModelPrice | null {
    return this.find(model)?.price ?? null;
  }

  /** As {@link priceOf}, with where the price comes from. */
  find(model: string): SourcedPrice | null {
    const before = this.known.get(model);
    if (before !== undefined) return before;
    const found = this.lookUp(model);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(model, found);
    return found;
  }

  /** All that is known: of the settings first, then the lists, each by name. */
  all(): SourcedPrice[] {
    const named = (prices: ListedPrices, source: PriceSource, listedOn: string | null): SourcedPrice[] =>
      Object.entries(prices)
        .map(([model, price]) => ({ model, price, source, listedOn }))
        .sort((a, b) => (a.model < b.model ? -1 : 1));
    return [...named(this.ofSettings, 'setting', null), ...named(LISTED_PRICES, 'built_in', LISTED_ON)];
  }

  /** What unknown models are counted by; null where they are refused. */
  get unknown(): ModelPrice | null {
    return this.ofUnknown;
  }

  /** What some tokens of one call cost, in dollars. */
  costOf(price: ModelPrice, tokens: PricedTokens): number {
    return costOf(price, tokens);
  }

  /** The most that a call can cost, in dollars, and the most tokens that it can take. */
  mostOf(price: ModelPrice, size: CallSize): { readonly cost: number; readonly tokens: number } {
    return mostOf(price, size);
  }

  private lookUp(model: string): SourcedPrice | null {
    const name = fullModelName(model);
    const listed = Object.hasOwn(LISTED_PRICES, name) ? LISTED_PRICES[name] : undefined;
    const pattern = closestPattern(Object.keys(this.ofSettings), name);
    const set = pattern === undefined ? undefined : this.ofSettings[pattern];
    // The settings are about money, and the largest answer is the model's.
    if (pattern !== undefined && set !== undefined) {
      const largest = listed?.largestOutput;
      const price = largest === undefined ? set : { ...set, largestOutput: largest };
      return { model: pattern, price, source: 'setting', listedOn: null };
    }
    if (listed !== undefined) return { model: name, price: listed, source: 'built_in', listedOn: LISTED_ON };
    const { ofUnknown } = this;
    return ofUnknown === null ? null : { model: name, price: ofUnknown, source: 'unknown', listedOn: null };
  }
}
