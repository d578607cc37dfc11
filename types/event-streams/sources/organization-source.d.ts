import { DomainEventReader } from '../../domain-events';
import { type SourceBounds, type SourcePage, StreamSource } from './stream-source';
/** The domain events of organizations, as far as they are kept. */
export declare class OrganizationSource extends StreamSource {
    private readonly log;
    constructor(log: DomainEventReader);
    bounds(orgId: string): Promise<SourceBounds>;
    nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>>;
    next(orgId: string, after: number): Promise<SourcePage>;
}
