import { EventLogReader } from '../../events';
import { type SourceBounds, type SourcePage, StreamSource, type WantedEvents } from './stream-source';
/** The events of conversations in the order of their numbers, which have no gaps as long as nothing is deleted. */
export declare class ConversationSource extends StreamSource {
    private readonly events;
    constructor(events: EventLogReader);
    bounds(conversationId: string): Promise<SourceBounds>;
    nextOfEach(cursors: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, SourcePage>>;
    next(conversationId: string, after: number, { kinds, large }: WantedEvents): Promise<SourcePage>;
}
