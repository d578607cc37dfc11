import { z } from 'zod';

const text = z.object({
  type: z.literal('text').default('text'),
  text: z.string(),
  cache_prompt: z.boolean().nullish(),
});
const image = z.object({
  type: z.literal('image').default('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().nullish(),
});
const blocks = z.array(z.union([text, image]));

const userMessage = z.looseObject({
  kind: z.literal('MessageEvent'),
  source: z.literal('user'),
  llm_message: z.looseObject({ content: z.array(z.unknown()) }),
});

/**
 * What makes the contents of two messages equal, whatever they leave to defaults.
 * @param content the parsed blocks
 */
export function contentFingerprint(content: unknown): string {
  const parsed = blocks.safeParse(content);
  if (!parsed.success) return JSON.stringify(content);
  return JSON.stringify(
    parsed.data.map((block) =>
      'text' in block
        ? ['text', block.text, block.cache_prompt ?? false]
        : ['image', block.image_urls, block.cache_prompt ?? false],
    ),
  );
}

/** The fingerprint of the user message in an event; null for any other event. */
export function messageFingerprint(event: unknown): string | null {
  const parsed = userMessage.safeParse(event);
  return parsed.success ? contentFingerprint(parsed.data.llm_message.content) : null;
}
