import { compileSources } from '../compiled/compiled-sources';
import { makeImages } from './service-images';

/** Runs once before all tests of images. */
export default async function imageSetup(): Promise<void> {
  await Promise.all([compileSources(), makeImages()]);
}
