import { PAGE_ID_EXAMPLE } from '../../../kernel/common';
import { boolean, Field, integer, list, model, string } from '../../../kernel/validation';

/** Filters for models or providers. */
export class ModelSearch {
  @Field(string(), { optional: true, description: 'Models of this provider.', example: 'openai' })
  provider__eq?: string;

  @Field(string(), { optional: true, description: 'Part of the name, in any case.', example: 'gpt' })
  query?: string;

  @Field(boolean(), { optional: true, description: 'Only verified ones, or only others.', example: true })
  verified__eq?: boolean;

  @Field(string(), {
    optional: true,
    description: '`next_page_id` of the page before.',
    example: PAGE_ID_EXAMPLE,
  })
  page_id?: string;

  @Field(integer({ ge: 1 }), { description: 'Size of the page; above 100 counts as 100.' })
  limit = 100;
}

/** A model that conversations may run on. */
export class ModelInfo {
  @Field(string(), { nullable: true, description: 'What its name begins with.', example: 'openai' })
  provider!: string | null;

  @Field(string(), { description: 'Its name without the provider.', example: 'gpt-5' })
  name!: string;

  @Field(boolean(), {
    description: 'Whether it is set somewhere, or your agent server says that it works well.',
    example: true,
  })
  verified!: boolean;

  @Field(boolean(), { description: 'Whether calls cost nothing: of the built-in model.', example: false })
  free!: boolean;

  @Field(boolean(), { description: 'Whether your conversations run on it.', example: true })
  default!: boolean;
}

export class ModelPage {
  @Field(list(model(() => ModelInfo)), { description: 'Models, by name.' })
  items!: ModelInfo[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}

/** A provider of models. */
export class ProviderInfo {
  @Field(string(), { description: 'What names of its models begin with.', example: 'openai' })
  name!: string;

  @Field(boolean(), {
    description:
      'Whether a model of it is set somewhere, or a connection, or your agent server knows a verified one.',
    example: true,
  })
  verified!: boolean;
}

export class ProviderPage {
  @Field(list(model(() => ProviderInfo)), { description: 'Providers, by name.' })
  items!: ProviderInfo[];

  @Field(string(), { nullable: true, description: 'Start of the next page; null on the last one.' })
  next_page_id!: string | null;
}
