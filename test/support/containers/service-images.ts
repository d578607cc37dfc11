import { ContainerEngine, hasContainerKit } from './container-engine';

/** The names of the images that tests of images use; the first is the service's own. */
export const IMAGES = {
  service: 'org-conversation-service',
  withInterface: 'org-conversation-service:with-interface',
  postgres: 'postgres:17-bookworm',
  mailCatcher: 'axllent/mailpit:v1.29.5',
};

const ADDRESS_VARIABLE = 'IMAGES_ENGINE';
const FIXTURES = 'test/fixtures/images';
let engine: ContainerEngine | undefined;

/** Starts the one engine of a test run, and makes the images that compose.yaml names: nothing is fetched from a registry. */
export async function makeImages(): Promise<void> {
  if (!hasContainerKit()) return;
  engine = await ContainerEngine.start();
  process.env[ADDRESS_VARIABLE] = engine.address;
  await build(IMAGES.service, '.');
  await build(IMAGES.postgres, `${FIXTURES}/postgres`);
  await build(IMAGES.mailCatcher, `${FIXTURES}/mail-catcher`);
}

/** Builds an image with the engine of the test run. @param args the folder, after options */
export async function build(tag: string, ...args: string[]): Promise<void> {
  await imagesEngine().docker('build', '--network', 'host', '--tag', tag, ...args);
}

/** Ends the engine with all that it has. */
export async function removeImages(): Promise<void> {
  await engine?.stop();
}

/** The engine of the test run, in every worker. */
export function imagesEngine(): ContainerEngine {
  const address = process.env[ADDRESS_VARIABLE];
  if (address === undefined) throw new Error('No engine was started before the tests.');
  return (engine ??= ContainerEngine.at(address));
}
