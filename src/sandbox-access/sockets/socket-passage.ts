import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppError } from '../../common';
import type { Passage, Place } from '../connections/open-connections';
import { AGENT_SERVER_GONE, type CloseReason, closeReasonOf } from './close-codes';
import { FrameScan } from './frame-scan';
import { closeToClient, closeToServer, isWholeClose, PING_TO_CLIENT, pingToServer } from './frames';

/** How long a side that was told to close may take to do so. */
const CLOSING_MS = 2_000;
const GOING_AWAY = 1001;

/** What a passage asks and tells those who look after it. */
export interface PassageEvents {
  /** Why the agent server may have ended the connection; null when nothing is known of it. */
  whyEnded(): Promise<AppError | null>;
  /** What goes on to the agent server, of what the caller sent. */
  passed(chunk: Buffer): Buffer;
  /** The caller sent a message. */
  used(): void;
  /** Both sides are gone. @param code with which it was closed, where the service did it */
  ended(code: number | null): void;
}

/**
 * Two WebSockets joined: what comes on one goes out on the other, byte for byte and no faster than that takes it. Frames
 * are followed but not read, so pings and the frame that closes can be put between them.
 */
export class SocketPassage implements Passage {
  private readonly up = new FrameScan();
  private readonly down = new FrameScan();
  private readonly heard = { caller: true, agentServer: true };
  private isClosing = false;
  /** Which sides a frame that closes has been passed on to. */
  private readonly toldToClose = { caller: false, agentServer: false };
  /** What came of the frame with which the agent server closes. */
  private closeFrame: Buffer | null = null;
  /** The agent server closes, and what the caller answers goes on to it. */
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
    // One that went while the other was being reached tells it no more.
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
    const { caller, agentServer, heard } = this;
    if (this.isClosing) return;
    // Of a side that the passage keeps waiting nothing can be heard; unless neither takes what the other sends.
    const isStuck = caller.isPaused() && agentServer.isPaused() && !heard.caller && !heard.agentServer;
    if (isStuck || !(heard.caller || caller.isPaused())) {
      this.endBoth();
      return;
    }
    if (!heard.agentServer && !agentServer.isPaused()) {
      this.close(AGENT_SERVER_GONE);
      return;
    }
    heard.caller = heard.agentServer = false;
    if (this.fitsIn('caller')) caller.write(PING_TO_CLIENT);
    if (this.fitsIn('agentServer')) agentServer.write(pingToServer());
  }

  private readonly fromCaller = (chunk: Buffer): void => {
    const { caller, agentServer, up } = this;
    this.heard.caller = true;
    this.place.countBytes('toSandbox', chunk.length);
    if (this.isClosing && !this.awaitsReply) return;
    const passed = this.events.passed(chunk);
    if (!this.toldToClose.agentServer) this.toldToClose.agentServer = up.advance(passed) < passed.length;
    if (up.sawData) {
      up.sawData = false;
      this.events.used();
    }
    if (passed.length > 0 && !agentServer.write(passed)) caller.pause();
    if (this.awaitsReply && this.isAgreed) this.endBothSoon();
  };

  private readonly fromAgentServer = (chunk: Buffer): void => {
    const { caller, agentServer, down } = this;
    this.heard.agentServer = true;
    this.place.countBytes('toCaller', chunk.length);
    if (this.isClosing) return;
    if (this.closeFrame !== null) {
      this.collectClose(Buffer.concat([this.closeFrame, chunk]));
      return;
    }
    const end = this.toldToClose.caller ? chunk.length : down.advance(chunk);
    // The response to a caller who closes goes on at once.
    if (end < chunk.length && this.toldToClose.agentServer) this.toldToClose.caller = true;
    const isPassed = end === chunk.length || this.toldToClose.caller;
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
    this.hearBoth();
    this.agentServer.resume();
  };

  private readonly onAgentServerDrain = (): void => {
    this.hearBoth();
    this.caller.resume();
  };

  /** One side has taken something, and the other is read from now on. */
  private hearBoth(): void {
    this.heard.caller = this.heard.agentServer = true;
  }

  private readonly onCallerEnd = (): void => {
    if (!this.isClosing || (this.awaitsReply && this.toldToClose.caller)) this.endBothSoon();
  };

  private readonly onAgentServerEnd = (): void => {
    if (this.isClosing) return;
    if (this.toldToClose.agentServer) this.endBothSoon();
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
   * The agent server closes, or is gone. A sandbox that was paused or ended says so in place of its agent server, which
   * knows only that it ends.
   * @param closeFrame what it sent, which goes on as it is where nothing better is known
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
    this.toldToClose.caller = true;
    if (this.isAgreed || this.agentServer.destroyed) this.endBothSoon();
    else setTimeout(() => this.endBoth(), CLOSING_MS).unref();
  }

  private get isAgreed(): boolean {
    return this.toldToClose.caller && this.toldToClose.agentServer;
  }

  /** Whether a frame of the service may go to a side now. */
  private fitsIn(side: 'caller' | 'agentServer'): boolean {
    return (side === 'caller' ? this.down : this.up).isBetweenFrames && !this.toldToClose[side];
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

  /** Ends both once what was written is through. */
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
