import { Injectable } from '@nestjs/common';
import { newId } from '../../../src/kernel/common';
import type { Announcement, AnnouncementCreate } from './announcements.dto';

/** How many announcements an organization keeps; older ones are dropped. */
const KEPT = 20;

/** Stores announcements in memory. */
@Injectable()
export class AnnouncementsService {
  private readonly ofOrganization = new Map<string, readonly Announcement[]>();

  list(orgId: string): readonly Announcement[] {
    return this.ofOrganization.get(orgId) ?? [];
  }

  /** @param id of the announcement; one that is there already stays as it is */
  add(orgId: string, { text, links }: AnnouncementCreate, id = newId()): Announcement {
    const earlier = this.list(orgId);
    const known = earlier.find((announcement) => announcement.id === id);
    if (known !== undefined) return known;
    const announcement = { id, text, links };
    this.ofOrganization.set(orgId, [announcement, ...earlier].slice(0, KEPT));
    return announcement;
  }
}
