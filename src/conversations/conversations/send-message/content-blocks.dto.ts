import {
  boolean,
  Field,
  type FieldType,
  ForbidExtraKeys,
  list,
  literal,
  string,
  union,
} from '../../../kernel/validation';

/** A text in a message (docs/contract.md#content-blocks). */
@ForbidExtraKeys()
export class TextContent {
  @Field(boolean(), { description: 'Whether a model that can may cache the prompt up to here.' })
  cache_prompt = false;

  @Field(literal('text'), { description: 'Tells texts from images.' })
  type = 'text' as const;

  @Field(string(), { description: 'The text.', example: 'Fix the flaky login test.' })
  text!: string;
}

/** Images in a message (docs/contract.md#content-blocks). */
export class ImageContent {
  @Field(boolean(), { description: 'Whether a model that can may cache the prompt up to here.' })
  cache_prompt = false;

  @Field(literal('image'), { description: 'Tells images from texts.' })
  type = 'image' as const;

  @Field(list(string()), {
    description: 'Addresses or data URLs of the images.',
    example: ['https://example.com/screenshot.png'],
  })
  image_urls!: string[];
}

/** A block of a message's content. */
export type ContentBlock = TextContent | ImageContent;

/** The declared type of a {@link ContentBlock}. */
export function contentBlock(): FieldType<ContentBlock> {
  return union(
    () => TextContent,
    () => ImageContent,
  );
}
