import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../../kernel/common';
import type { Passage, Place } from '../connections/open-connections';
import { AGENT_SERVER_GONE, type CloseReason, closeReasonOf } from './close-codes';
import { FrameScan } from './frame-scan';
import { closeToClient, closeToServer, isWholeClose, PING_TO_CLIENT, pingToServer } from './frames';

/** How long a side may take to close once it was sent a close frame. */
const CLOSING_MS = 2_000;
const GOING_AWAY = 1001;

/** How a passage reports to its owner. */
interface PassageEvents {
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
export class SocketPassage implements Passage {
  private readonly up = new FrameScan();
  private readonly down = new FrameScan();
  private readonly alive = { caller: true, agentServer: true };
  private isClosing = false;
  /** Which sides have been sent a close frame. */
  private readonly closeSent = { caller: false, agentServer: false };
  /** The part received so far of the agent server's close frame. */
  private closeFrame: Buffer | null = null;
  /** The agent server is closing, and the caller's close frame is still passed on to it. */
  private awaitsReply = false;
  private closedWith: number | null = null;
  private open = 2;

  constructor(
    private readonly caller: Socket,
    private readonly agentServer: Duplex,
    private readonly place: Place,
    private readonly events: PassageEvents,
  ) {}

  start(): void {
    const { caller, agentServer } = this;
    caller.setNoDelay(true).setTimeout(0);
    caller.on('data', this.fromCaller).on('drain', this.onCallerDrain);
    caller.once('end', this.onCallerEnd).once('close', this.onCallerClose);
    agentServer.on('data', this.fromAgentServer).on('drain', this.onAgentServerDrain);
    agentServer.once('end', this.onAgentServerEnd).once('close', this.onAgentServerClose);
    // One that closed while the other was being connected emits no more events.
    this.open = [caller, agentServer].filter(({ closed }) => !closed).length;
    this.place.hold(this);
    if (this.open === 0) this.ended();
    else if (caller.destroyed || agentServer.destroyed) this.endBoth();
    else {
      caller.resume();
      agentServer.resume();
    }
  }

  heldBytes(): number {
    return this.caller.writableLength + this.agentServer.writableLength;
  }

  end(reason: AppError): void {
    this.close(closeReasonOf(reason));
  }

  ping(): void {
    const { caller, agentServer, alive } = this;
    if (this.isClosing) return;
    // A side that the passage has paused cannot show that it is alive; unless both are paused, and neither reads.
    const isStuck = caller.isPaused() && agentServer.isPaused() && !alive.caller && !alive.agentServer;
    if (isStuck || !(alive.caller || caller.isPaused())) {
      this.endBoth();
      return;
    }
    if (!alive.agentServer && !agentServer.isPaused()) {
      this.close(AGENT_SERVER_GONE);
      return;
    }
    alive.caller = alive.agentServer = false;
    if (this.fitsIn('caller')) caller.write(PING_TO_CLIENT);
    if (this.fitsIn('agentServer')) agentServer.write(pingToServer());
  }

  private readonly fromCaller = (chunk: Buffer): void => {
    const { caller, agentServer, up } = this;
    this.alive.caller = true;
    this.place.countBytes('toSandbox', chunk.length);
    if (this.isClosing && !this.awaitsReply) return;
    const passed = this.events.passed(chunk);
    if (!this.closeSent.agentServer) this.closeSent.agentServer = up.advance(passed) < passed.length;
    if (up.sawData) {
      up.sawData = false;
      this.events.used();
    }
    if (passed.length > 0 && !agentServer.write(passed)) caller.pause();
    if (this.awaitsReply && this.isAgreed) this.endBothSoon();
  };

  private readonly fromAgentServer = (chunk: Buffer): void => {
    const { caller, agentServer, down } = this;
    this.alive.agentServer = true;
    this.place.countBytes('toCaller', chunk.length);
    if (this.isClosing) return;
    if (this.closeFrame !== null) {
      this.collectClose(Buffer.concat([this.closeFrame, chunk]));
      return;
    }
    const end = this.closeSent.caller ? chunk.length : down.advance(chunk);
    // The reply to a caller's close frame is passed on at once.
    if (end < chunk.length && this.closeSent.agentServer) this.closeSent.caller = true;
    const isPassed = end === chunk.length || this.closeSent.caller;
    const passed = isPassed ? chunk : chunk.subarray(0, end);
    if (passed.length > 0 && !caller.write(passed)) agentServer.pause();
    if (!isPassed) this.collectClose(chunk.subarray(end));
  };

  private collectClose(bytes: Buffer): void {
    if (this.closeFrame === null) setTimeout(() => this.onAgentServerEnd(), CLOSING_MS).unref();
    this.closeFrame = bytes;
    if (isWholeClose(bytes)) void this.endedByAgentServer(bytes);
  }

  private readonly onCallerDrain = (): void => {
    this.listenToBoth();
    this.agentServer.resume();
  };

  private readonly onAgentServerDrain = (): void => {
    this.listenToBoth();
    this.caller.resume();
  };

  /** One side has read something, and the other is resumed. */
  private listenToBoth(): void {
    this.alive.caller = this.alive.agentServer = true;
  }

  private readonly onCallerEnd = (): void => {
    if (!this.isClosing || (this.awaitsReply && this.closeSent.caller)) this.endBothSoon();
  };

  private readonly onAgentServerEnd = (): void => {
    if (this.isClosing) return;
    if (this.closeSent.agentServer) this.endBothSoon();
    else void this.endedByAgentServer(null);
  };

  private readonly onCallerClose = (): void => {
    this.isClosing = true;
    this.agentServer.destroy();
    this.onClose();
  };

  private readonly onAgentServerClose = (): void => {
    this.onAgentServerEnd();
    this.onClose();
  };

  private onClose(): void {
    this.open -= 1;
    if (this.open === 0) this.ended();
  }

  private ended(): void {
    this.place.free();
    this.events.ended(this.closedWith);
  }

  /**
   * The agent server is closing, or gone. If the sandbox was paused or failed, that is the reason given to the caller:
   * the agent server only knows that it ends.
   * @param closeFrame the one it sent, passed on unchanged when nothing better is known
   */
  private async endedByAgentServer(closeFrame: Buffer | null): Promise<void> {
    this.isClosing = true;
    this.awaitsReply = closeFrame !== null;
    const known = await this.events.whyEnded().catch(() => null);
    if (known !== null || closeFrame === null) {
      this.awaitsReply = false;
      this.sendClose(known === null ? AGENT_SERVER_GONE : closeReasonOf(known));
      return;
    }
    this.caller.write(closeFrame);
    this.closeSent.caller = true;
    if (this.isAgreed || this.agentServer.destroyed) this.endBothSoon();
    else setTimeout(() => this.endBoth(), CLOSING_MS).unref();
  }

  private get isAgreed(): boolean {
    return this.closeSent.caller && this.closeSent.agentServer;
  }

  /** Whether a frame of the service may be sent to a side now. */
  private fitsIn(side: 'caller' | 'agentServer'): boolean {
    return (side === 'caller' ? this.down : this.up).isBetweenFrames && !this.closeSent[side];
  }

  private close(reason: CloseReason): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.sendClose(reason);
  }

  private sendClose({ code, reason }: CloseReason): void {
    this.closedWith = code;
    if (this.fitsIn('caller')) this.caller.write(closeToClient(code, reason));
    if (this.fitsIn('agentServer')) this.agentServer.write(closeToServer(GOING_AWAY, reason));
    this.endBothSoon();
  }

  /** Ends both after a flush. */
  private endBothSoon(): void {
    this.isClosing = true;
    this.caller.end();
    this.agentServer.end();
    this.caller.resume();
    this.agentServer.resume();
    setTimeout(() => this.endBoth(), CLOSING_MS).unref();
  }

  private endBoth(): void {
    this.isClosing = true;
    this.caller.destroy();
    this.agentServer.destroy();
  }
}
