import { anything, boolean, Field, list, model, oneOf, string } from '../../../kernel/validation';

const VALUE_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
const PROMINENCES = ['critical', 'major', 'minor'] as const;

/** An option of a form field. */
class SchemaChoice {
  @Field(string(), { description: 'What people read.', example: 'Ask the model' })
  label!: string;

  @Field(string(), { description: 'What is saved.', example: 'llm' })
  value!: string;
}

/** A field of a form. */
class SchemaField {
  @Field(string(), { description: 'Where the value is in the settings.', example: 'llm.model' })
  key!: string;

  @Field(string(), { description: 'What people read.', example: 'Model' })
  label!: string;

  @Field(string(), { description: 'What it is for.', example: 'Model that conversations run on.' })
  description!: string;

  @Field(string(), { description: 'Key of its section.', example: 'llm' })
  section!: string;

  @Field(string(), { description: 'Label of its section.', example: 'Model' })
  section_label!: string;

  @Field(oneOf(VALUE_TYPES), { description: 'Type of the value.' })
  value_type!: (typeof VALUE_TYPES)[number];

  @Field(anything(), { description: 'The value until another is set.', example: null })
  default!: unknown;

  @Field(list(model(() => SchemaChoice)), { description: 'The values there are; empty where any is.' })
  choices!: SchemaChoice[];

  @Field(list(string()), { description: 'Keys that have to be set for it to count.', example: [] })
  depends_on!: string[];

  @Field(oneOf(PROMINENCES), { description: 'How prominent it is.' })
  prominence!: (typeof PROMINENCES)[number];

  @Field(boolean(), { description: 'Whether the value is never answered.', example: false })
  secret!: boolean;

  @Field(boolean(), { description: 'Whether it has to be set.', example: false })
  required!: boolean;
}

/** A field without its section; properties that most fields lack are optional. */
export type FieldOf = Pick<SchemaField, 'key' | 'label' | 'description' | 'value_type'> &
  Partial<SchemaField>;

/** A section of a form. */
class SchemaSection {
  @Field(string(), { description: 'Its key.', example: 'llm' })
  key!: string;

  @Field(string(), { description: 'What people read.', example: 'Model' })
  label!: string;

  @Field(list(model(() => SchemaField)), { description: 'Its fields.' })
  fields!: SchemaField[];
}

/** The supported settings, as a form. */
export class SettingsSchema {
  @Field(string(), { description: 'What is set.', example: 'AgentSettings' })
  model_name!: string;

  @Field(list(model(() => SchemaSection)), { description: 'The sections of the form.' })
  sections!: SchemaSection[];
}
