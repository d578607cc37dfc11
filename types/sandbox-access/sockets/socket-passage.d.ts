import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../common';
import type { Passage, Place } from '../connections/open-connections';
/** How a passage reports to its owner. */
export interface PassageEvents {
    /** Why the agent server may have disconnected; null if unknown. */
    whyEnded(): Promise<AppError | null>;
    /** The bytes to pass on to the agent server, out of what the caller sent. */
    passed(chunk: Buffer): Buffer;
    /** The caller sent a message. */
    used(): void;
    /** Both sides are closed. @param code the close code, if the service closed it */
    ended(code: number | null): void;
}
/**
 * Two joined WebSockets: bytes received on one are sent on the other, unchanged and with backpressure. Frames are
 * tracked but not read, so that pings and close frames can be inserted between them.
 */
export declare class SocketPassage implements Passage {
    private readonly caller;
    private readonly agentServer;
    private readonly place;
    private readonly events;
    private readonly up;
    private readonly down;
    private readonly heard;
    private isClosing;
    /** Which sides have been sent a close frame. */
    private readonly closeSent;
    /** The part received so far of the agent server's close frame. */
    private closeFrame;
    /** The agent server is closing, and the caller's close frame is still passed on to it. */
    private awaitsReply;
    private closedWith;
    private open;
    constructor(caller: Socket, agentServer: Duplex, place: Place, events: PassageEvents);
    start(): void;
    heldBytes(): number;
    end(reason: AppError): void;
    ping(): void;
    private readonly fromCaller;
    private readonly fromAgentServer;
    private collectClose;
    private readonly onCallerDrain;
    private readonly onAgentServerDrain;
    /** One side has read something, and the other is resumed. */
    private hearBoth;
    private readonly onCallerEnd;
    private readonly onAgentServerEnd;
    private readonly onCallerClose;
    private readonly onAgentServerClose;
    private onClose;
    private ended;
    /**
     * The agent server is closing, or gone. If the sandbox was paused or failed, that is the reason given to the caller:
     * the agent server only knows that it ends.
     * @param closeFrame the one it sent, passed on unchanged when nothing better is known
     */
    private endedByAgentServer;
    private get isAgreed();
    /** Whether a frame of the service may be sent to a side now. */
    private fitsIn;
    private close;
    private sendClose;
    /** Ends both after a flush. */
    private endBothSoon;
    private endBoth;
}
