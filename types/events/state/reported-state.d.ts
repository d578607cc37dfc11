import { type ReportedState } from '../../conversations';
import { type ReceivedEvent } from '../storage/received-event';
/** What the events report together: of each field, the last value counts. */
export declare function stateOfEvents(events: readonly ReceivedEvent[]): ReportedState;
/** What a conversation's info, or one field of it, reports. */
export declare function stateOfInfo(info: Readonly<Record<string, unknown>>): ReportedState;
