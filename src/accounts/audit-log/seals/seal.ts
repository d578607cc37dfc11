import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../../kernel/common';

/** What a seal says: a span of a chain, and the hash that it ends with. */
export interface SealedSpan {
  /** Null for the chain of the installation. */
  readonly org_id: string | null;
  readonly first_position: string;
  readonly position: string;
  readonly rows: number;
  readonly hash: Buffer;
  readonly sealed_at: Date;
}

/** A seal as it is stored. */
export interface Seal extends SealedSpan {
  readonly id: string;
  readonly mac: Buffer;
  readonly key_id: string;
  readonly removed_at: Date | null;
}

/** Whether a seal fits, or was made with a key that is not known any more. */
export type SealState = 'fits' | 'differs' | 'unknown key';

/**
 * What the mac of a seal is made of.
 * @param before the hash of the seal before it in its chain, so that none can be taken out; of none, 32 zero bytes
 */
function textOf(
  { org_id, first_position, position, rows, hash, sealed_at }: SealedSpan,
  before: Buffer,
): string {
  return [
    'audit-seal',
    before.toString('hex'),
    org_id ?? 'installation',
    first_position,
    position,
    rows,
    hash.toString('hex'),
    sealed_at.toISOString(),
  ].join(' ');
}

/** The mac of a seal, with the present key. */
export function macOf(box: SecretBox, span: SealedSpan, before: Buffer): Buffer {
  return box.mac(textOf(span, before));
}

/** Whether the mac of a seal is the one that its key makes. */
export function stateOf(box: SecretBox, seal: Seal, before: Buffer): SealState {
  const mac = box.macs(textOf(seal, before))[box.keyIds.indexOf(seal.key_id)];
  if (mac === undefined) return 'unknown key';
  return timingSafeEqual(mac, seal.mac) ? 'fits' : 'differs';
}
