import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digestOf, SecretBox } from '../../../kernel/common';
import type { SealedColumn } from '../../../kernel/database';
import type { Sandbox } from './sandbox.entity';

const KEY_BYTES = 32;

/** Where the keys are kept. */
export const SEALED_SESSION_KEYS: SealedColumn = {
  table: 'sandboxes',
  column: 'sealed_session_key',
  contextOf,
};

/** Makes, seals and opens the keys between the service and agent servers. */
@Injectable()
export class SandboxKeys {
  constructor(private readonly box: SecretBox) {}

  /** What is stored of a new key. */
  create(sandboxId: string): Pick<Sandbox, 'sealedSessionKey' | 'sessionKeyDigest'> {
    const key = randomBytes(KEY_BYTES).toString('base64url');
    return {
      sealedSessionKey: this.box.seal(key, contextOf(sandboxId)),
      sessionKeyDigest: digestOf(key),
    };
  }

  /** The key of a sandbox; null when it has none of its own. */
  open(sandboxId: string, sealed: string | null): string | null {
    return sealed === null ? null : this.box.open(sealed, contextOf(sandboxId));
  }
}

function contextOf(sandboxId: string): string {
  return `sandbox:${sandboxId}`;
}
