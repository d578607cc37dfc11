import { Injectable } from '@nestjs/common';
import { DomainEventReader, type LoggedEvent, type LogPage } from '../../../kernel/domain-events';
import { type SourceBounds, type SourcePage, StreamSource, StreamStep } from './stream-source';

/** Events that are read at once of each organization. */
const MOST = 500;

/** The domain events of organizations, as far as they are kept. */
@Injectable()
export class OrganizationSource extends StreamSource {
  constructor(private readonly log: DomainEventReader) {
    super();
  }

  override async bounds(orgId: string): Promise<SourceBounds> {
    const { last, given } = await this.log.bounds(orgId);
    return { last, highest: given };
  }

  override async nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>> {
    const pages = await this.log.after(cursors, MOST);
    return new Map([...pages].map(([orgId, page]) => [orgId, toSourcePage(page, cursors.get(orgId) ?? 0)]));
  }

  override async next(orgId: string, after: number): Promise<SourcePage> {
    const page = (await this.nextOfEach(new Map([[orgId, after]]))).get(orgId);
    return page ?? { steps: [], end: after, hasMore: false };
  }
}

function toSourcePage({ gone, events, end, hasMore }: LogPage, after: number): SourcePage {
  const gaps = gone > after ? [StreamStep.gap(after + 1, gone)] : [];
  return { steps: [...gaps, ...events.map(toStep)], end, hasMore };
}

function toStep(logged: LoggedEvent): StreamStep {
  return StreamStep.event(Number(logged.position), logged.event.kind, domainEventJson(logged));
}

/** As streams send it, in the form of [Standard Webhooks](https://www.standardwebhooks.com). */
export function domainEventJson({ event: { kind, ...data }, at }: LoggedEvent): string {
  return JSON.stringify({ type: kind, timestamp: at.toISOString(), data });
}
