import type { DataSource } from 'typeorm';
import { countAuditSeals, resealAuditLog } from '../../accounts/audit-log';
import {
  SEALED_CONNECTION_KEYS,
  SEALED_MCP_CONFIGS,
  SEALED_PROFILE_KEYS,
  SEALED_PROFILE_OPTIONS,
  SEALED_SETTINGS_KEYS,
  SEALED_SETTINGS_OPTIONS,
} from '../../agents/agent-settings';
import type { SecretBox } from '../../kernel/common';
import { SEALED_START_SECRETS } from '../../conversations/conversations';
import { countSealed, resealColumn, type SealedColumn } from '../../kernel/database';
import { SEALED_GIT_PASSWORDS } from '../../agents/git-credentials';
import { SEALED_CLIENT_SECRETS } from '../../accounts/identity-providers';
import { countOpenLinks } from '../../accounts/invitations';
import { SEALED_SESSION_KEYS } from '../../sandboxes/sandboxes';
import { SEALED_USER_SECRETS } from '../../accounts/secrets';
import { SEALED_PREVIOUS_WEBHOOK_SECRETS, SEALED_WEBHOOK_SECRETS } from '../../outbound/webhooks';

/** All that is sealed at rest, apart from the check value, which every start renews. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_SESSION_KEYS,
  SEALED_START_SECRETS,
  SEALED_SETTINGS_KEYS,
  SEALED_SETTINGS_OPTIONS,
  SEALED_MCP_CONFIGS,
  SEALED_PROFILE_KEYS,
  SEALED_PROFILE_OPTIONS,
  SEALED_CONNECTION_KEYS,
  SEALED_USER_SECRETS,
  SEALED_GIT_PASSWORDS,
  SEALED_WEBHOOK_SECRETS,
  SEALED_PREVIOUS_WEBHOOK_SECRETS,
  SEALED_CLIENT_SECRETS,
];

/** What is left of a key that is not the current one. */
interface OldKey {
  /** The id that sealed texts carry. */
  readonly key: string;
  /** Its place in `SECRET_KEYS_OLD`, from 1; null when it is not listed. */
  readonly place: number | null;
  /** Texts that are sealed with it, and seals of the audit log that are made with it. */
  readonly left: number;
  /** Open invitations whose links derive from it; without it they work on, but are not shown or mailed again. */
  readonly invitations: number;
  /** When the last of these invitations expires. */
  readonly invitations_until: string | null;
  /** Whether the key can be taken out of `SECRET_KEYS_OLD`. */
  readonly can_go: boolean;
}

/** The response of `secrets:reencrypt`. */
export interface Reencrypted {
  readonly moved: number;
  readonly current_key: string;
  readonly old_keys: readonly OldKey[];
}

/**
 * Moves everything that older keys have sealed to the current one, and reports what is left of each
 * (docs/operations.md, "Secrets").
 */
export async function reencryptSecrets(database: DataSource, box: SecretBox): Promise<Reencrypted> {
  let moved = 0;
  const left = new Map<string, number>();
  for (const column of SEALED_COLUMNS) {
    moved += await resealColumn(database, box, column);
    for (const [key, count] of await countSealed(database, column))
      left.set(key, (left.get(key) ?? 0) + count);
  }
  moved += await resealAuditLog(database, box);
  for (const [key, count] of await countAuditSeals(database)) left.set(key, (left.get(key) ?? 0) + count);
  const links = await countOpenLinks(database, box);
  const [current = '', ...older] = box.keyIds;
  const unlisted = [...left.keys()].filter((key) => !box.keyIds.includes(key));
  const old_keys = [...older, ...unlisted].map((key): OldKey => {
    const open = links.get(key);
    const place = older.indexOf(key) + 1;
    const count = left.get(key) ?? 0;
    return {
      key,
      place: place === 0 ? null : place,
      left: count,
      invitations: open?.count ?? 0,
      invitations_until: open?.until.toISOString() ?? null,
      can_go: count === 0 && open === undefined,
    };
  });
  return { moved, current_key: current, old_keys };
}
