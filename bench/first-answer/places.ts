import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureAgentServer } from '../../scripts/agent-server-environment';
import { isWarmName, nameOf, PORT } from '../../src/drivers/docker/names';
import { SANDBOX_ID } from '../../src/drivers/kubernetes/objects/labels';
import { pathOf } from '../../src/drivers/kubernetes/objects/paths';
import { storySandboxes, withRealImage } from '../../test/support/agent-server/story-sandboxes';
import { compileSources, removeCompiledSources } from '../../test/support/compiled/compiled-sources';
import { ContainerEngine } from '../../test/support/containers/container-engine';
import { ClusterFixture } from '../../test/support/kubernetes/cluster-fixture';
import { serviceAccount } from '../../test/support/kubernetes/service-account';
import { removeCluster, reserveCluster, TestCluster } from '../../test/support/kubernetes/test-cluster';
import type { Mark } from './memory';

/** An agent server that was started ahead. */
export interface Ahead {
  readonly mark: Mark;
  readonly url: string;
}

/** What sandboxes run on. */
export interface Place {
  readonly name: string;
  /** The address of this machine at which they reach the service and the model. */
  readonly host: string;
  readonly env: Readonly<Record<string, string>>;
  /** @param dataDir the folder of the service */
  mark(sandboxId: string, dataDir: string): Promise<Mark>;
  /** Those that wait for a sandbox. */
  ahead(dataDir: string): Promise<Ahead[]>;
}

/** Places to measure one after the other. */
export interface Places {
  readonly places: readonly Place[];
  close(): Promise<void>;
}

const noteSchema = z.object({
  uid: z.number(),
  host: z.string(),
  port: z.number(),
  isAhead: z.boolean(),
});
const podsSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ uid: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
      status: z.object({
        podIP: z.string().optional(),
        conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
      }),
    }),
  ),
});

/** As `STORY_DRIVER` says: containers, pods, or processes of this machine, of each kind. */
export function placesToMeasure(): Promise<Places> {
  const { STORY_DRIVER: driver } = process.env;
  if (driver === undefined) return processes();
  return driver === 'kubernetes' ? pods() : containers();
}

async function processes(): Promise<Places> {
  const { command } = await ensureAgentServer();
  const folder = await mkdtemp(join(tmpdir(), 'bench-command-'));
  await chmod(folder, 0o755);
  // Nothing in it says that Python could import it before.
  const afresh = join(folder, 'agent-server');
  await writeFile(afresh, `#!/bin/sh\nexec '${command}' "$@"\n`, { mode: 0o755 });
  return {
    places: [
      processPlace('embedded', { SANDBOX_DRIVER: 'embedded' }),
      processPlace('forked', { SANDBOX_DRIVER: 'process', AGENT_SERVER_COMMAND: command }),
      processPlace('afresh', { SANDBOX_DRIVER: 'process', AGENT_SERVER_COMMAND: afresh }),
    ],
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function processPlace(name: string, env: { readonly SANDBOX_DRIVER: string } & Place['env']): Place {
  const folderIn = (dataDir: string): string => join(dataDir, 'sandboxes', env.SANDBOX_DRIVER);
  const noteAt = async (path: string): Promise<z.infer<typeof noteSchema>> =>
    noteSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  const markOf = (uid: number): Mark => ({ file: 'status', text: `Uid:\t${uid}\t` });
  return {
    name,
    host: '127.0.0.1',
    env,
    mark: async (id, dataDir) => markOf((await noteAt(join(folderIn(dataDir), `${id}.json`))).uid),
    ahead: async (dataDir) => {
      const names = (await readdir(folderIn(dataDir))).filter((file) => file.endsWith('.json'));
      const notes = await Promise.all(names.map((file) => noteAt(join(folderIn(dataDir), file))));
      const waiting = notes.filter(({ isAhead }) => isAhead);
      return waiting.map(({ uid, host, port }) => ({ mark: markOf(uid), url: `http://${host}:${port}` }));
    },
  };
}

async function containers(): Promise<Places> {
  const { host, env, close } = await storySandboxes();
  const engine = ContainerEngine.at(env.DOCKER_HOST ?? '');
  const idOf = (name: string): Promise<string> => engine.docker('inspect', '--format', '{{.Id}}', name);
  const markOf = async (name: string): Promise<Mark> => ({ file: 'cgroup', text: await idOf(name) });
  const address = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const ahead = async (): Promise<Ahead[]> => {
    const names = (await engine.docker('ps', '--format', '{{.Names}}')).split('\n').filter(isWarmName);
    return Promise.all(
      names.map(async (name) => {
        const ip = await engine.docker('inspect', '--format', address, name);
        return { mark: await markOf(name), url: `http://${ip}:${PORT}` };
      }),
    );
  };
  const place = { name: 'docker', host, env, mark: (id: string) => markOf(nameOf(id)), ahead };
  return { places: [place], close };
}

async function pods(): Promise<Places> {
  await Promise.all([compileSources(), reserveCluster()]);
  const cluster = await TestCluster.shared();
  const env = await withRealImage(cluster);
  const namespace = await cluster.makeNamespace('bench');
  const files = ['rights.yaml', 'components/warm-sandboxes/rights.yaml'];
  const token = await serviceAccount(cluster, namespace, files);
  const fixture = await ClusterFixture.open(cluster, namespace, token);
  const markOf = (uid: string): Mark => ({ file: 'cgroup', text: uid });
  const place: Place = {
    name: 'kubernetes',
    host: fixture.host,
    env: { ...fixture.env, ...env },
    mark: async (id) => markOf((await fixture.pod(id)).metadata.uid),
    ahead: async () => {
      const { items } = podsSchema.parse(await cluster.api.get(pathOf('pods', namespace)));
      const waiting = items.filter(
        ({ metadata, status }) =>
          metadata.labels[SANDBOX_ID] === undefined &&
          status.conditions.some((one) => one.type === 'Ready' && one.status === 'True'),
      );
      return waiting.map(({ metadata, status }) => ({
        mark: markOf(metadata.uid),
        url: `http://${status.podIP ?? ''}:${PORT}`,
      }));
    },
  };
  const close = async (): Promise<void> => {
    await fixture.close();
    await cluster.close();
    await Promise.all([removeCluster(), removeCompiledSources()]);
  };
  return { places: [place], close };
}
