import type { IncomingMessage } from 'node:http';
import { RequestNote } from '../../telemetry';

const organization = new RequestNote<string>();

/** Notes the organization of what the request under way is let at, where its route names none. */
export function noteOrganization(orgId: string): void {
  organization.set(orgId);
}

/** The organization of what a request was let at, where its route names none; null where it was let at nothing. */
export function notedOrganization(request: IncomingMessage): string | null {
  return organization.of(request) ?? null;
}
