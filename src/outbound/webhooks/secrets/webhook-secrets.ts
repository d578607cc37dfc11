import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../kernel/common';
import type { SealedColumn } from '../../../kernel/database';

const SECRET_BYTES = 32;

/** The secrets that callbacks are signed with, sealed at rest. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  /** A new secret, as Standard Webhooks writes it. */
  make(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  seal(webhookId: string, secret: string): string {
    return this.box.seal(secret, contextOf(webhookId));
  }

  /** @throws Error when no key of the service fits */
  open(webhookId: string, sealed: string): string {
    return this.box.open(sealed, contextOf(webhookId));
  }
}

/** What a sealed secret is bound to. */
export function contextOf(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** The column that stores the secrets that sign. */
export const SEALED_WEBHOOK_SECRETS: SealedColumn = { table: 'webhooks', column: 'sealed_secret', contextOf };

/** The column that stores the secrets before a rotation: as they were, so they are bound alike. */
export const SEALED_PREVIOUS_WEBHOOK_SECRETS: SealedColumn = {
  table: 'webhooks',
  column: 'sealed_previous_secret',
  contextOf,
};
