import { TestPreview } from './marketplaces';

/** A process of its own that previews one source, for tests that kill it: `preview-process.ts DATA_DIR SOURCE`. */
async function main(): Promise<void> {
  const [dataDir = '', source = ''] = process.argv.slice(2);
  const preview = await TestPreview.start({
    DATA_DIR: dataDir,
    GIT_ALLOWED_HOSTS: new URL(source).host,
  });
  await preview.preview([{ source }]);
}

void main();
