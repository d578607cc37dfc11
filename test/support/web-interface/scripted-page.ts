import { runInNewContext } from 'node:vm';
import { CONVERSATION_SCRIPT } from '../../../src/appliance/web-interface/conversation-script/conversation-script';

const ORIGIN = 'https://agents.test';
export const USER = '0b6f0e0a-51c5-4f0e-9e67-0a4f6c1f2e99';
export const ID = '3c9b0d4e-8f0f-4c9a-9f1e-3a7c0f1f4b21';
export const SANDBOX = '5b2f9f86-4d0c-4a3e-9d1b-0a4f6c1f2e22';
export const DOOR = `${ORIGIN}/api/v1/sandboxes/${SANDBOX}/agent-server`;
const SOCKET = `${DOOR.replace('https', 'wss')}/sockets/events/${ID}?resend_mode=all`;
export const RECORD = `GET /api/v1/app-conversations`;

interface Shown {
  readonly kind: string;
  readonly value?: string;
  readonly detail?: string;
  readonly llm_message?: unknown;
}

/** What the interface uses of a socket. */
interface PageSocket {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: object) => void) | null;
  send(data: string): void;
  close(): void;
}

/** The connection to an agent server. */
export class ServerSocket implements PageSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static last: ServerSocket | null = null;
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  readonly sent: string[] = [];

  constructor(readonly url: string) {
    ServerSocket.last = this;
  }

  open(): void {
    this.readyState = ServerSocket.OPEN;
    this.onopen?.();
  }

  says(event: object): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }

  send(data: string): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = ServerSocket.CLOSED;
    this.onclose?.({});
  }
}

/** A page with the script, and what it asked the service. */
export class ScriptedPage {
  /** What the service answers to each call; 409 to others. */
  readonly answers = new Map<string, unknown>();
  /** What happens before the answer to a call arrives. */
  readonly meanwhile = new Map<string, () => void>();
  readonly asked: string[] = [];
  readonly bodies: unknown[] = [];
  readonly headers: Headers[] = [];
  readonly shown: Shown[] = [];
  /** Buttons that the page presses itself. */
  readonly clicked: string[] = [];
  readonly location = {
    href: `${ORIGIN}/conversations/${ID}`,
    origin: ORIGIN,
    pathname: `/conversations/${ID}`,
  };
  private readonly listeners: ((event: object) => void)[] = [];
  private readonly window: {
    fetch: (url: string, init?: RequestInit) => Promise<Response>;
    WebSocket: new (url: string) => PageSocket;
  } = {
    fetch: (url, init) => {
      const call = `${init?.method ?? 'GET'} ${new URL(url, ORIGIN).pathname}`;
      this.asked.push(call);
      this.headers.push(new Headers(init?.headers));
      if (typeof init?.body === 'string') this.bodies.push(JSON.parse(init.body));
      this.meanwhile.get(call)?.();
      const answer = this.answers.get(`${init?.method ?? 'GET'} ${url}`) ?? this.answers.get(call);
      return Promise.resolve(
        answer === undefined ? Response.json({ detail: 'Not now.' }, { status: 409 }) : Response.json(answer),
      );
    },
    WebSocket: ServerSocket,
  };
  private readonly sockets: PageSocket[] = [];

  constructor() {
    ServerSocket.last = null;
    const document = {
      currentScript: { dataset: { user: USER } },
      addEventListener: (type: string, listener: (event: object) => void) => {
        if (type === 'click') this.listeners.push(listener);
      },
    };
    class CSSStyleSheet {
      replaceSync(): void {}
    }
    runInNewContext(CONVERSATION_SCRIPT, {
      window: this.window,
      location: this.location,
      document,
      CSSStyleSheet,
      crypto,
      URL,
      Response,
      Headers,
      Event,
      EventTarget,
      Date,
      JSON,
      Object,
      Promise,
      // Minutes of a page are a second here.
      setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms / 100),
    });
  }

  /** What the interface gets. */
  async call(method: string, url: string, body?: unknown): Promise<unknown> {
    const headers = { 'X-Session-API-Key': 'of-the-session' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await this.window.fetch(url, init);
    return response.status === 200 ? response.json() : response.status;
  }

  /** Shows a record to the interface. */
  record(content: unknown): Promise<unknown> {
    this.answers.set(RECORD, [content]);
    return this.call('GET', `/api/v1/app-conversations?ids=${ID}`);
  }

  /** @returns whether the interface does not get to know of it */
  presses(name: string, { inBox }: { inBox: boolean }): boolean {
    let isHeld = false;
    const box = { querySelector: () => ({ click: () => this.clicked.push(name) }) };
    const closest = (selector: string): object | null => {
      if (selector.includes(`"${name}"`)) return { closest };
      return inBox && selector.includes('"interactive-chat-box"') ? box : null;
    };
    const hold = (): void => void (isHeld = true);
    const event = {
      type: 'click',
      target: { closest },
      preventDefault: hold,
      stopImmediatePropagation: hold,
    };
    for (const listen of this.listeners) listen(event);
    return isHeld;
  }

  /** The interface connects. */
  connect(): PageSocket {
    const socket = new this.window.WebSocket(SOCKET);
    socket.onmessage = ({ data }) => this.shown.push(JSON.parse(data) as Shown);
    this.sockets.push(socket);
    return socket;
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }
}
