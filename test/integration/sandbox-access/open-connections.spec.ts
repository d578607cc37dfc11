import { readSettings } from '../../../src/kernel/config';
import type { Admission } from '../../../src/sandboxes/sandbox-access/admission/admission-memory';
import {
  type ConnectionKind,
  OpenConnections,
  type Place,
} from '../../../src/sandboxes/sandbox-access/connections/open-connections';
import { type AppError, MEBIBYTE } from '../../../src/kernel/common';
import { SandboxNotFoundError } from '../../../src/sandboxes/sandboxes';

const settings = readSettings({ DOOR_MEBIBYTES_PER_SANDBOX: '2', DOOR_MEBIBYTES_PER_USER: '3' });

const admissionTo = (id: string, createdByUserId = 'a user', orgId = 'an organization'): Admission => ({
  keyId: null,
  sessionId: null,
  keyExpiresAt: null,
  sandbox: {
    ...{
      id,
      createdByUserId,
      orgId,
      byLink: false,
      status: 'RUNNING',
      stopping: false,
      statusDetail: null,
    },
    ...{
      builtInModel: null,
      publicUrl: null,
      conversationBase: null,
      sessionApiKey: null,
      workingDir: '',
      runsCommands: true,
    },
    sharesServer: false,
    agentServer: { baseUrl: 'http://localhost', apiKey: '' },
  },
});

const holding = (bytes: number, end: (reason: AppError) => void = () => undefined) => ({
  heldBytes: () => bytes,
  end,
});

const codeOf = (take: () => unknown): unknown => {
  try {
    take();
    return null;
  } catch (error) {
    return (error as AppError).code;
  }
};

describe('the bytes that the service holds for slow readers', () => {
  it('keep new connections to their sandbox from beginning', () => {
    const connections = new OpenConnections(settings);
    const place = connections.take(admissionTo('one'), 'http');
    place.hold(holding(2 * MEBIBYTE + 1));
    expect(codeOf(() => connections.take(admissionTo('one'), 'http'))).toBe('door_bytes_exceeded');
    expect(codeOf(() => connections.take(admissionTo('two'), 'http'))).toBeNull();
    place.free();
    expect(codeOf(() => connections.take(admissionTo('one'), 'websocket'))).toBeNull();
  });

  it('keep new connections of their user from beginning, and of nobody else', () => {
    const connections = new OpenConnections(settings);
    for (const id of ['one', 'two'])
      connections.take(admissionTo(id), 'websocket').hold(holding(1.6 * MEBIBYTE));
    expect(codeOf(() => connections.take(admissionTo('three'), 'http'))).toBe('door_bytes_exceeded');
    expect(codeOf(() => connections.take(admissionTo('four', 'another user'), 'http'))).toBeNull();
  });
});

describe('the connections of a replica', () => {
  const refusalOf = (take: () => unknown): unknown => {
    try {
      take();
      return null;
    } catch (error) {
      return (error as AppError).message;
    }
  };

  it('are 200 WebSockets of a user, 2,048 connections of an organization and 4,096 in all', () => {
    const connections = new OpenConnections(readSettings({}));
    const take = (n: number, org: string, kind: ConnectionKind): Place =>
      connections.take(
        admissionTo(`${org} ${Math.floor(n / 100)}`, `${org} ${Math.floor(n / 200)}`, org),
        kind,
      );
    const [first] = Array.from({ length: 200 }, (_, n) => take(n, 'one', 'websocket'));
    expect(refusalOf(() => take(0, 'one', 'websocket'))).toContain('200 WebSockets');
    for (let n = 0; n < 1_848; n++) take(200 + n, 'one', n % 2 === 0 ? 'http' : 'websocket');
    expect(refusalOf(() => take(0, 'one', 'http'))).toContain(
      '2048 connections to the agent servers of this org',
    );
    for (let n = 0; n < 2_048; n++) take(n, 'another', 'http');
    expect(refusalOf(() => take(0, 'a third', 'http'))).toContain('4096 connections to agent servers');
    first?.free();
    first?.free();
    expect(refusalOf(() => take(0, 'a third', 'http'))).toBeNull();
    expect(refusalOf(() => take(0, 'a third', 'http'))).toContain('4096');
  });
});

describe('a place among the open connections', () => {
  it('that was ended before anything passed ends that at once', () => {
    const place = new OpenConnections(settings).take(admissionTo('one'), 'websocket');
    const reason = new SandboxNotFoundError();
    place.end(reason);
    const ended: AppError[] = [];
    place.hold(holding(0, (error) => void ended.push(error)));
    expect(ended).toEqual([reason]);
  });
});
