import { Injectable } from '@nestjs/common';
import { newId } from '../../src/common';
import type { Announcement, AnnouncementCreate } from './announcements.dto';

/** How many announcements an organization keeps; older ones are dropped. */
const KEPT = 20;

/** Stores announcements in memory: an example needs no table. */
@Injectable()
export class AnnouncementsService {
  private readonly ofOrganization = new Map<string, readonly Announcement[]>();

  list(orgId: string): readonly Announcement[] {
    return this.ofOrganization.get(orgId) ?? [];
  }

  add(orgId: string, { text, links }: AnnouncementCreate): Announcement {
    const announcement = { id: newId(), text, links };
    this.ofOrganization.set(orgId, [announcement, ...this.list(orgId)].slice(0, KEPT));
    return announcement;
  }
}
