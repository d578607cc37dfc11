import { z } from 'zod';

const textContent = z.strictObject({
  type: z.literal('text').default('text'),
  text: z.string(),
  cache_prompt: z.boolean().default(false),
});

/** The agent server ignores other keys of images, and refuses them of texts. */
const imageContent = z.object({
  type: z.literal('image').default('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().default(false),
});

const content = z.array(z.union([textContent, imageContent])).default([]);

const role = z.enum(['user', 'system', 'assistant', 'tool']);

/** What `POST …/events` takes. */
export const sendMessageSchema = z.object({
  role: role.default('user'),
  content,
  run: z.boolean().default(false),
});

/** What a client may send over a WebSocket; there the content may also be a plain text. */
export const socketMessageSchema = z.object({
  role,
  content: z.union([z.string().transform((text) => [textContent.parse({ text })]), content]),
});

export type UserMessage = z.infer<typeof socketMessageSchema>;
export type ContentBlock = UserMessage['content'][number];

/** The texts of a message, and what else it has. */
export function plainText(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => (block.type === 'text' ? block.text : `(${block.image_urls.length} image)`))
    .join('\n');
}
