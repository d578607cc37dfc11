import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hexOf, parseUuid, SecretBox } from '../../kernel/common';

const PREFIX = 'ocs-llm-';
const FORM = /^ocs-llm-([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

/**
 * The keys with which agents call the gateway: one for each conversation, which is derived and not stored. Such a key says which
 * conversation calls, and opens nothing but the gateway (docs/model-gateway.md).
 */
@Injectable()
export class ModelKeys {
  constructor(private readonly box: SecretBox) {}

  /** The key of a conversation. */
  issue(conversationId: string): string {
    const id = hexOf(conversationId);
    return `${PREFIX}${id}.${this.box.mac(context(id)).toString('base64url')}`;
  }

  /**
   * Whose key this is, under the current secret or one of those before.
   * @returns null for what is no such key; whether the conversation is there is for others to say
   */
  conversationOf(key: string): string | null {
    const [, id, given] = FORM.exec(key) ?? [];
    if (id === undefined || given === undefined) return null;
    const mac = Buffer.from(given, 'base64url');
    // More than one text may stand for the same bytes.
    if (mac.toString('base64url') !== given) return null;
    return this.box.macs(context(id)).some((one) => timingSafeEqual(one, mac)) ? parseUuid(id) : null;
  }
}

function context(id: string): string {
  return `model key ${id}`;
}
