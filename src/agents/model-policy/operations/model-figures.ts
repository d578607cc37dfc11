import { Injectable } from '@nestjs/common';
import type { OrgContext } from '../../../kernel/auth';
import { ModelPolicies } from '../policies/model-policies';
import { ModelPrices, type SourcedPrice } from '../prices/model-prices';
import type { Rates } from '../prices/price';
import { ModelRefusals, REFUSAL_CODES, type RefusalCode } from '../refusals/model-refusals';
import type { ModelPriceList, ModelPriceRecord, ModelRates, ModelRefusalList } from './model-prices.dto';

/** What an organization may read about prices and refusals. */
@Injectable()
export class ModelFigures {
  constructor(
    private readonly policies: ModelPolicies,
    private readonly known: ModelPrices,
    private readonly refused: ModelRefusals,
  ) {}

  /** @param model whose price is wanted; null for all that are known */
  async prices({ orgId, role }: OrgContext, model: string | null): Promise<ModelPriceList> {
    const found =
      model === null ? this.known.all() : [this.known.find(model)].filter((each) => each !== null);
    const names = found.map((each) => each.model);
    const allowed = new Set(await this.policies.allowedAmong(orgId, role, names));
    return {
      items: found.map((each) => toRecord(each, allowed.has(each.model))),
      unknown_refused: this.known.unknown === null,
    };
  }

  async refusals(orgId: string): Promise<ModelRefusalList> {
    const { since, counts } = await this.refused.ofLastDay(orgId);
    return {
      since: since.toISOString(),
      items: counts.flatMap(({ code, model, count, last_at }) =>
        isCode(code) ? [{ code, model, count: Number(count), last_at: last_at.toISOString() }] : [],
      ),
    };
  }
}

function toRecord({ model, price, source, listedOn }: SourcedPrice, isAllowed: boolean): ModelPriceRecord {
  const { beyond } = price;
  return {
    model,
    ...toRates(price),
    beyond: beyond === undefined ? null : { tokens: beyond.tokens, ...toRates(beyond) },
    largest_output: price.largestOutput ?? null,
    source,
    as_of: listedOn,
    allowed: model.includes('*') ? null : isAllowed,
  };
}

function toRates({
  input,
  output,
  cacheRead = input,
  cacheWrite = input,
}: Rates): Pick<ModelRates, keyof ModelRates> {
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}

function isCode(code: string): code is RefusalCode {
  return REFUSAL_CODES.some((known) => known === code);
}
