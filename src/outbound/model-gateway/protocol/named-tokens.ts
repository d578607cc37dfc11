import { isRecord } from '../../../kernel/common';
import { ParameterRefusedError } from '../model-gateway.errors';
import { isSet } from './allowed-members';

/** As much as a model can read. */
const LARGEST_INPUT = 1_000_000;
const IMAGE = 50_000;

/** Where a call has what a model reads. */
const READ = ['messages', 'input', 'system', 'instructions'];
/** What names something that is elsewhere, or that is more than its bytes say. */
const NAMES: ReadonlySet<string> = new Set([
  'previous_response_id',
  'conversation',
  'file_id',
  'file_url',
  'file_data',
  'video_url',
  'audio_url',
  'vector_store_ids',
  'container',
]);
const DOCUMENTS: ReadonlySet<unknown> = new Set([
  'document',
  'file',
  'input_file',
  'base64',
  'container_upload',
  'item_reference',
  'video',
  'video_url',
]);
const IMAGES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image', 'computer_screenshot']);
/** Parts that bring tools with them, which have to be where tools are checked, or that have the provider do more. */
const REFUSED: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'tool_addition',
  'tool_definition',
  'mcp_toolset_reference',
  'compaction_trigger',
]);

/**
 * The most tokens of what a call only names: images and files, and what the provider keeps.
 * @throws ParameterRefusedError for a part that brings tools
 */
export function namedTokens(call: Readonly<Record<string, unknown>>): number {
  const own = namesIn(call).length * LARGEST_INPUT;
  return READ.reduce((sum, name) => sum + tokensIn(call[name]), own);
}

/** Calls are no deeper than they may be by now. */
function tokensIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + tokensIn(item), 0);
  if (!isRecord(value)) return 0;
  const { type } = value;
  if (REFUSED.has(type) || Array.isArray(value['tools']))
    throw new ParameterRefusedError(
      typeof type === 'string' ? type : 'tools',
      'tools have to be in the field of the call',
    );
  const own = tokensOf(value);
  let sum = own;
  for (const [name, inner] of Object.entries(value)) {
    // What an image is is counted with it, and what a model wants a tool to do is a text, whatever it holds.
    const isCounted = own === IMAGE && (name === 'source' || name === 'image_url');
    if (!isCounted && !(type === 'tool_use' && name === 'input')) sum += tokensIn(inner);
  }
  return sum;
}

/** What a part is itself, without those in it. */
function tokensOf(part: Readonly<Record<string, unknown>>): number {
  const { type } = part;
  if (IMAGES.has(type)) return IMAGE;
  if (DOCUMENTS.has(type) || namesIn(part).length > 0) return LARGEST_INPUT;
  return isSet(part['image_url']) ? IMAGE : 0;
}

/** By the members that are there: most objects have few. */
function namesIn(object: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(object).filter((name) => NAMES.has(name) && isSet(object[name]));
}
