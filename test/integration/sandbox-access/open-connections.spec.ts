import { readSettings } from '../../../src/config';
import type { Admission } from '../../../src/sandbox-access/admission/admission';
import { OpenConnections } from '../../../src/sandbox-access/connections/open-connections';
import { type AppError, MEBIBYTE } from '../../../src/common';
import { SandboxNotFoundError } from '../../../src/sandboxes';

const settings = readSettings({ DOOR_MEBIBYTES_PER_SANDBOX: '2', DOOR_MEBIBYTES_PER_USER: '3' });

const admissionTo = (id: string, createdByUserId = 'a user'): Admission => ({
  keyId: null,
  sessionId: null,
  keyExpiresAt: null,
  sandbox: {
    ...{
      id,
      createdByUserId,
      orgId: 'an organization',
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
    ...{ sharesServer: false, agentServer: { baseUrl: 'http://localhost', apiKey: '' } },
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
