import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, messageOf, newId } from '../../../src/kernel/common';
import { readSettings } from '../../../src/kernel/config';
import { DockerDriver } from '../../../src/drivers/docker/docker.driver';
import { eventually } from '../../support/eventually';
import { TlsProxy } from '../../support/containers/tls-proxy';

const INFO = {
  ID: 'THE:ENGINE',
  Name: 'host',
  DockerRootDir: '/var/lib/docker',
  SecurityOptions: [],
  MemoryLimit: true,
  CpuCfsQuota: true,
  PidsLimit: true,
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/_ping': 'OK',
  '/info': INFO,
  '/version': { Components: [{ Name: 'Engine' }] },
  '/networks/bridge': { IPAM: { Config: [{ Gateway: '172.17.0.1' }] } },
};

/** What the engine is known by. */
const ID = digestOf('THE:ENGINE /var/lib/docker').slice(0, 32);

/** What makes all else of a start right. */
const RIGHT = { SANDBOX_DRIVER: 'docker', SANDBOX_IMAGE: 'image', SANDBOX_ISOLATION: 'none' };

describe('an engine of containers', () => {
  let folder: string;
  let socket: string;
  let engine: Server;
  const others: Server[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fake-engine-'));
    socket = join(folder, 'docker.sock');
    engine = createServer(answer);
    await new Promise<void>((listening) => engine.listen(socket, listening));
  });
  afterAll(async () => {
    for (const server of [engine, ...others]) server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const answer: RequestListener = ({ url = '' }, response) => {
    const known = ANSWERS[url.replace(/\?.*$/, '')];
    response.writeHead(known === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(typeof known === 'string' ? known : JSON.stringify(known ?? { message: 'no such thing' }));
  };

  const start = (env: Record<string, string>): Promise<string> =>
    new DockerDriver(
      readSettings({ DATA_DIR: folder, CALLBACK_URL: 'http://10.0.0.1:3000', ...RIGHT, ...env }),
    ).sharedHost();

  /** An engine at tcp that answers as it is told. */
  const engineAt = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    others.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('is known by its own id, at whatever address', async () => {
    expect(await start({ DOCKER_HOST: `unix://${socket}` })).toBe(ID);
    expect(await start({ DOCKER_HOST: await engineAt(answer) })).toBe(ID);
  });

  it('is looked at without anything being made', async () => {
    const DATA_DIR = join(folder, 'looked-at');
    await mkdir(DATA_DIR);
    const env = { DATA_DIR, CALLBACK_URL: 'http://10.0.0.1:3000', ...RIGHT, DOCKER_HOST: `unix://${socket}` };
    const problems = await new DockerDriver(readSettings(env)).problems();
    expect(problems).toMatchObject([{ isFatal: false, says: expect.stringMatching(/^The image/) as string }]);
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it('is known while it is away, once it was there', async () => {
    const DOCKER_HOST = await engineAt(answer);
    expect(await start({ DOCKER_HOST })).toBe(ID);
    await new Promise((closed) => others.at(-1)?.close(closed));
    expect(await start({ DOCKER_HOST })).toBe(ID);
  });

  it('has the start fail with a sentence where nothing listens, and it never did', async () => {
    await expect(start({ DOCKER_HOST: 'unix:///nowhere/docker.sock' })).rejects.toThrow(
      /^No answer from the container engine at unix:\/\/\/nowhere\/docker\.sock \(ENOENT\): start it, or correct DOCKER_HOST\.$/,
    );
    await expect(start({ DOCKER_HOST: 'tcp://127.0.0.1:1' })).rejects.toThrow(/\(ECONNREFUSED\): start it/);
  });

  it('is told from what else answers there', async () => {
    const DATA_DIR = join(folder, 'none');
    const sentence = (reason: string): RegExp =>
      new RegExp(
        `^What answers at tcp://127\\.0\\.0\\.1:\\d+ is no container engine.*${reason}.*: correct DOCKER_HOST\\.$`,
      );
    const page = await engineAt((_, response) => response.end('<html>'));
    await expect(start({ DATA_DIR, DOCKER_HOST: page })).rejects.toThrow(
      sentence('it does not say what it is'),
    );
    const other = await engineAt((_, response) => response.writeHead(404).end('no page'));
    await expect(start({ DATA_DIR, DOCKER_HOST: other })).rejects.toThrow(sentence('no page'));
    const noHttp = createTcpServer((socket) => socket.end('SSH-2.0-server\r\n'));
    await new Promise<void>((listening) => noHttp.listen(0, '127.0.0.1', listening));
    const { port } = noHttp.address() as AddressInfo;
    await expect(start({ DATA_DIR, DOCKER_HOST: `tcp://127.0.0.1:${port}` })).rejects.toThrow(
      sentence('HPE_'),
    );
    noHttp.close();
  });

  it('says that it wants TLS', async () => {
    const DOCKER_HOST = await engineAt((_, response) => {
      response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n');
    });
    await expect(start({ DOCKER_HOST })).rejects.toThrow(/^TLS is needed for .*: set DOCKER_CERT_PATH\.$/);
  });

  it('is used by TLS with the certificates of a folder, which has to have them', async () => {
    const proxy = await TlsProxy.start(socket);
    const stranger = await TlsProxy.start(socket);
    try {
      const DOCKER_HOST = `tcp://127.0.0.1:${proxy.port}`;
      expect(await start({ DOCKER_HOST, DOCKER_CERT_PATH: proxy.folder })).toBe(ID);
      const DATA_DIR = join(folder, 'other');
      await expect(start({ DATA_DIR, DOCKER_HOST, DOCKER_CERT_PATH: stranger.folder })).rejects.toThrow(
        /^There is no trusted connection to .*: check DOCKER_CERT_PATH/,
      );
      // The engine's own authority, and a client that it does not know.
      await copyFile(join(proxy.folder, 'ca.pem'), join(stranger.folder, 'ca.pem'));
      await expect(start({ DATA_DIR, DOCKER_HOST, DOCKER_CERT_PATH: stranger.folder })).rejects.toThrow(
        /^No answer from .* \(ECONNRESET\): .* check that it trusts the certificate in DOCKER_CERT_PATH\.$/,
      );
      await expect(start({ DOCKER_HOST, DOCKER_CERT_PATH: '/nowhere' })).rejects.toThrow(
        /^DOCKER_CERT_PATH: \/nowhere\/\w+\.pem cannot be read \(ENOENT\)\.$/,
      );
    } finally {
      await Promise.all([proxy.stop(), stranger.stop()]);
    }
  });

  it('says of a sandbox that its image is still being fetched', async () => {
    const fetching: RequestListener = (request, response) => {
      const { url = '' } = request;
      if (url.startsWith('/images/create')) request.resume();
      else if (url.startsWith('/volumes'))
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"Volumes":[]}');
      else answer(request, response);
    };
    const DOCKER_HOST = await engineAt(fetching);
    const driver = new DockerDriver(readSettings({ ...RIGHT, DOCKER_HOST }));
    const sandbox = { id: newId(), sessionKey: 'key', port: null, orgId: null, installationId: newId() };
    expect(await driver.explain(sandbox)).toBeNull();
    const started = driver.start(sandbox).catch(messageOf);
    await eventually(async () =>
      expect(await driver.explain(sandbox)).toBe(
        'Its image is still being fetched: resume it in some minutes.',
      ),
    );
    others.at(-1)?.closeAllConnections();
    expect(await started).toMatch(/^The image image is not on the container engine, and cannot be fetched /);
  });

  it('has to be on a host where containers can be kept from services, unless that is said to be fine', async () => {
    const DOCKER_HOST = await engineAt(answer);
    await expect(start({ DOCKER_HOST, SANDBOX_ISOLATION: 'users' })).rejects.toThrow(
      /^SANDBOX_DRIVER=docker cannot keep containers from services of the engine's host .* or set SANDBOX_ISOLATION=none/,
    );
  });

  it('has the start fail where containers could not report to the service', async () => {
    const DOCKER_HOST = `unix://${socket}`;
    await expect(start({ DOCKER_HOST, CALLBACK_URL: 'http://localhost:3000' })).rejects.toThrow(
      /^Containers cannot reach the service at http:\/\/localhost:3000: set CALLBACK_URL .*http:\/\/172\.17\.0\.1:3000/,
    );
  });
});
