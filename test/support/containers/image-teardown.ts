import { removeCompiledSources } from '../compiled/compiled-sources';
import { removeRunFolder } from '../run/run-folder';
import { removeImages } from './service-images';

/** Runs once after all tests of images. */
export default async function imageTeardown(): Promise<void> {
  await Promise.all([removeCompiledSources(), removeImages()]);
  await removeRunFolder();
}
