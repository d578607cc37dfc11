import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AgentServerUnavailableError } from '../../agent-server';
import { type KeyHolder, UnauthenticatedError } from '../../../kernel/auth';
import { AppError, messageOf } from '../../../kernel/common';
import { countedAddress, ServiceStoppingError, switchProtocols, type Upgraded } from '../../../kernel/http';
import { rateLimitHeaders } from '../../../kernel/request-limits';
import { SandboxLifecycle, running } from '../../sandboxes';
import type { Admission } from '../admission/admission-memory';
import { DoorAdmission, hasCredential } from '../admission/door-admission';
import { DoorSandboxes } from '../admission/door-sandboxes';
import type { DoorTarget } from '../admission/door-target';
import { AgentServerRoutes } from '../connections/agent-server-routes';
import { OpenConnections, type Place } from '../connections/open-connections';
import { passedHeaders } from '../http/request-headers';
import { closeReasonOf } from './close-codes';
import { firstMessageKey, RepeatedKey } from './first-message';
import { acceptOf, closeToClient, newHandshakeKey } from './frames';
import { clientHandshake, type ClientHandshake, negotiated, upstreamHandshake } from './handshake';
import { SocketPassage } from './socket-passage';
import { openUpstream, type UpstreamSocket } from './upstream-socket';
import { type UnknownCaller, UnknownCallers } from './unknown-callers';

/** A parsed request for a WebSocket. */
interface SocketRequest {
  readonly request: Request;
  readonly response: Response;
  readonly target: DoorTarget;
  readonly handshake: ClientHandshake;
}

/** Connects WebSockets to agent servers (docs/sandboxes.md#the-door). */
@Injectable()
export class SocketDoor {
  private readonly logger = new Logger('Door');

  constructor(
    private readonly admission: DoorAdmission,
    private readonly sandboxes: DoorSandboxes,
    private readonly connections: OpenConnections,
    private readonly routes: AgentServerRoutes,
    private readonly lifecycle: SandboxLifecycle,
    private readonly unknown: UnknownCallers,
  ) {}

  /**
   * Opens a WebSocket to an agent server for a request, and completes the handshake.
   * @throws as for any request through the door, and HandshakeMalformedError
   */
  async answer(request: Request, response: Response, target: DoorTarget): Promise<void> {
    const socketRequest = { request, response, target, handshake: clientHandshake(request.headers) };
    const headers = credentials(request.headers, target.queryKey);
    if (headers === null) await this.openToUnknown(socketRequest);
    else await this.openToKnown(socketRequest, headers);
  }

  /** The request carried a credential: the agent server's reply to the handshake is passed on. */
  private async openToKnown(socketRequest: SocketRequest, headers: IncomingHttpHeaders): Promise<void> {
    const { request, response, handshake } = socketRequest;
    const { holder, standing } = await this.admission.authenticate(request, headers);
    if (standing !== null) response.set(rateLimitHeaders(standing));
    const { place, upstream } = await this.reach(socketRequest, holder, handshake.key);
    let upgraded: Upgraded | null = null;
    try {
      upgraded = await switchProtocols(request, response, {
        'Sec-WebSocket-Accept': acceptOf(handshake.key),
        ...negotiated(handshake, upstream.headers),
      });
    } finally {
      if (upgraded === null) {
        upstream.socket.destroy();
        place.free();
      }
    }
    if (upgraded === null) return;
    if (upgraded.head.length > 0) upgraded.socket.unshift(upgraded.head);
    this.join(request.id, place, upgraded.socket, upstream.socket);
  }

  /** The caller is signed in in a browser, or authenticates with the first message; errors become close codes. */
  private async openToUnknown(socketRequest: SocketRequest): Promise<void> {
    const { request, response, handshake } = socketRequest;
    // A browser session needs no first message, and must not wait behind callers without a key.
    const isSignedIn = await this.admission.isSignedIn(request);
    const unknown = isSignedIn ? null : this.unknown.enter(countedAddress(request));
    try {
      const upgraded = await switchProtocols(request, response, {
        'Sec-WebSocket-Accept': acceptOf(handshake.key),
      });
      if (upgraded === null) return;
      const { socket, head } = upgraded;
      if (head.length > 0) socket.unshift(head);
      await this.admitOpened(socketRequest, socket, unknown);
    } finally {
      unknown?.leave();
    }
  }

  private async admitOpened(
    socketRequest: SocketRequest,
    socket: Socket,
    unknown: UnknownCaller | null,
  ): Promise<void> {
    try {
      const key = unknown === null ? null : await firstMessageKey(socket, unknown.stopped);
      if (unknown?.stopped.aborted === true) throw new ServiceStoppingError();
      const headers = key === null ? {} : { 'x-session-api-key': key };
      const { holder } = await this.admission.authenticate(socketRequest.request, headers);
      const { place, upstream } = await this.reach(socketRequest, holder, null);
      this.join(socketRequest.request.id, place, socket, upstream.socket);
    } catch (error) {
      this.refuse(socket, error);
    }
  }

  /** @param clientKey the key of the client's handshake, to be passed on; by default a new one is made */
  private async reach(
    { request, target }: SocketRequest,
    holder: KeyHolder,
    clientKey: string | null,
  ): Promise<{ place: Place; upstream: UpstreamSocket }> {
    const admission = await this.admission.admit(holder, target, request.get('x-org-id'));
    const place = this.connections.take(admission, 'websocket');
    try {
      const key = clientKey ?? newHandshakeKey();
      const { sandbox } = admission;
      const headers = [
        ...passedHeaders(request, sandbox, request.id),
        ...upstreamHandshake(key, clientKey === null ? {} : request.headers),
      ];
      const path = target.path + target.query;
      const upstream = await openUpstream(this.routes.of(sandbox.agentServer), path, headers, place);
      if (upstream.headers['sec-websocket-accept'] !== acceptOf(key)) {
        upstream.socket.destroy();
        throw new AgentServerUnavailableError(true, 'no WebSocket');
      }
      return { place, upstream };
    } catch (error) {
      place.free();
      // It may just have been paused: then that is the caller's error.
      if (error instanceof AgentServerUnavailableError)
        running(await this.sandboxes.current(admission.sandbox.id));
      throw error;
    }
  }

  /** Keeps nothing of the request but its id: a WebSocket may be open for days. */
  private join(requestId: string, place: Place, caller: Socket, agentServer: Duplex): void {
    const { sandbox, keyId } = place.admission;
    const beganAt = performance.now();
    const repeatedKey = new RepeatedKey();
    const passage = new SocketPassage(caller, agentServer, place, {
      passed: (chunk) => repeatedKey.without(chunk),
      whyEnded: () => this.whyEnded(place.admission),
      used: () => this.lifecycle.touch(sandbox.id),
      ended: (code) => {
        const seconds = Math.round((performance.now() - beganAt) / 1_000);
        const { createdByUserId: user, orgId: organization } = sandbox;
        const who = { requestId, sandbox: sandbox.id, user, organization, keyId };
        this.logger.log({ ...who, seconds, ...(code !== null && { code }) }, 'A WebSocket ended');
      },
    });
    passage.start();
  }

  private async whyEnded({ sandbox }: Admission): Promise<AppError | null> {
    try {
      running(await this.sandboxes.current(sandbox.id));
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  private refuse(socket: Socket, error: unknown): void {
    const isKnown = error instanceof AppError;
    if (!isKnown) this.logger.error(`A WebSocket could not be opened: ${messageOf(error)}`);
    const shown = isKnown ? error : new AppError(500, 'internal_error', 'The service failed.');
    // The codes of agent servers: clients know by them that another attempt is pointless.
    const { code, reason } = closeReasonOf(shown);
    const text = shown instanceof UnauthenticatedError ? 'Authentication failed' : reason;
    socket.end(closeToClient(code, text));
    socket.resume();
    setTimeout(() => socket.destroy(), 2_000).unref();
  }
}

/** The headers to authenticate by; null for a request without a credential. */
function credentials(headers: IncomingHttpHeaders, queryKey: string | null): IncomingHttpHeaders | null {
  if (hasCredential(headers)) return headers;
  return queryKey === null ? null : { 'x-session-api-key': queryKey };
}
