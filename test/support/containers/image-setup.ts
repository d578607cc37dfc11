import { compileSources } from '../compiled/compiled-sources';
import { openRunFolder } from '../run/run-folder';
import { makeImages } from './service-images';

/** Runs once before all tests of images. */
export default async function imageSetup(): Promise<void> {
  await openRunFolder();
  await Promise.all([compileSources(), makeImages()]);
}
