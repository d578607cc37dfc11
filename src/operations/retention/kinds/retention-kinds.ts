import type { Settings } from '../../../kernel/config';

/** What goes after so many days without activity, in the order in which a run removes it (docs/retention.md). */
export const RETENTION_KINDS = ['messages', 'deliveries', 'events', 'conversations', 'archives'] as const;

/** Something that goes after so many days. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** After how many days what goes; null for what stays, or where nothing is said. */
export type RetentionPeriods = Readonly<Record<RetentionKind, number | null>>;

/** What is announced before it goes: the rest is a record of what was sent, and goes soon anyway. */
export const ANNOUNCED_KINDS = ['events', 'conversations', 'archives'] as const satisfies RetentionKind[];

/** Something that is announced before it goes. */
export type AnnouncedKind = (typeof ANNOUNCED_KINDS)[number];

/** Whether something is announced before it goes. */
export function isAnnounced(kind: RetentionKind): kind is AnnouncedKind {
  return ANNOUNCED_KINDS.some((announced) => announced === kind);
}

/** The periods of the installation, for organizations that say nothing of their own. */
export function defaultPeriods(settings: Settings): RetentionPeriods {
  return {
    events: settings.RETENTION_EVENTS_DAYS ?? null,
    conversations: settings.RETENTION_CONVERSATIONS_DAYS ?? null,
    messages: settings.RETENTION_MESSAGES_DAYS ?? settings.DELIVERED_DAYS,
    deliveries: settings.RETENTION_DELIVERIES_DAYS,
    archives: settings.RETENTION_ARCHIVES_DAYS ?? null,
  };
}

/** What an organization says, and else the installation. */
export function effectivePeriods(own: RetentionPeriods, defaults: RetentionPeriods): RetentionPeriods {
  return {
    events: own.events ?? defaults.events,
    conversations: own.conversations ?? defaults.conversations,
    messages: own.messages ?? defaults.messages,
    deliveries: own.deliveries ?? defaults.deliveries,
    archives: own.archives ?? defaults.archives,
  };
}

export const DAY_MS = 86_400_000;

/** What was active before this time has not been for so many days. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
