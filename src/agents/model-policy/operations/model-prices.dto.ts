import {
  boolean,
  dateTime,
  Field,
  integer,
  list,
  model,
  number,
  oneOf,
  string,
} from '../../../kernel/validation';
import { PRICE_SOURCES, type PriceSource } from '../prices/model-prices';
import { REFUSAL_CODES, type RefusalCode } from '../refusals/model-refusals';

/** Query of `GET /api/organizations/{org_id}/model-prices`. */
export class ModelPricesQuery {
  @Field(string({ maxLength: 255 }), {
    optional: true,
    description: 'A model, with its provider or without: only what it costs is answered.',
    example: 'openai/gpt-5',
  })
  model?: string;
}

/** What a million tokens cost, in dollars. */
export class ModelRates {
  @Field(number(), { description: 'Of input.', example: 1.25 })
  input!: number;

  @Field(number(), { description: 'Of output.', example: 10 })
  output!: number;

  @Field(number(), { description: 'Of input that the provider remembered.', example: 0.125 })
  cache_read!: number;

  @Field(number(), { description: 'Of input that the provider remembers from now on.', example: 1.25 })
  cache_write!: number;
}

/** The rates of calls with much input. */
export class RatesBeyond extends ModelRates {
  @Field(integer(), { description: 'They are those of calls with more tokens of input.', example: 200_000 })
  tokens!: number;
}

/** What a model costs. */
export class ModelPriceRecord extends ModelRates {
  @Field(string(), {
    description: 'The name of the model, or in prices of the installation a pattern.',
    example: 'openai/gpt-5',
  })
  model!: string;

  @Field(model(() => RatesBeyond), {
    nullable: true,
    description: 'What calls with more input cost; null where they cost the same.',
    example: null,
  })
  beyond!: RatesBeyond | null;

  @Field(integer(), {
    nullable: true,
    description: 'The most tokens of one answer; null where that is not known.',
    example: 128_000,
  })
  largest_output!: number | null;

  @Field(oneOf(PRICE_SOURCES), {
    description:
      '`setting` is set for the installation, `built_in` comes with the service, `unknown` is what models are counted by whose price nobody knows.',
    example: 'built_in',
  })
  source!: PriceSource;

  @Field(string(), {
    nullable: true,
    description: 'The day whose price lists it is from; null for prices of the installation.',
    example: '2026-11-28',
  })
  as_of!: string | null;

  @Field(boolean(), {
    nullable: true,
    description: 'Whether you may use the model in the organization; null for a pattern.',
    example: true,
  })
  allowed!: boolean | null;
}

/** What models cost. */
export class ModelPriceList {
  @Field(list(model(() => ModelPriceRecord)), {
    description: 'Prices of the installation first, then those that come with the service, each by name.',
  })
  items!: ModelPriceRecord[];

  @Field(boolean(), {
    description: 'Whether models whose price nobody knows are refused by the gateway.',
    example: true,
  })
  unknown_refused!: boolean;
}

/** What was refused for one reason. */
export class ModelRefusal {
  @Field(oneOf(REFUSAL_CODES), { description: 'The code of the error.', example: 'model_not_allowed' })
  code!: RefusalCode;

  @Field(string(), {
    description: 'The model that was asked for; `*` for all beyond the first hundreds.',
    example: 'openai/gpt-5',
  })
  model!: string;

  @Field(integer(), { description: 'How often.', example: 12 })
  count!: number;

  @Field(dateTime(), { description: 'When for the last time.', example: '2026-11-29T09:30:00.000Z' })
  last_at!: string;
}

/** What was refused in the last day. */
export class ModelRefusalList {
  @Field(dateTime(), {
    description: 'Since when; of the hour in which that is, all may be counted that was refused again later.',
    example: '2026-11-28T09:30:00.000Z',
  })
  since!: string;

  @Field(list(model(() => ModelRefusal)), { description: 'The most frequent first.' })
  items!: ModelRefusal[];
}
