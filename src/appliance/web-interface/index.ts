export {
  INTERFACE_PACKAGE,
  type InterfacePackage,
  type PinnedPackage,
} from './installed/installed-interface';
export {
  findInterface,
  folderOfPackage,
  INTERFACE_CACHE,
  type InstalledInterface,
} from './installed/installed-interface';
export { interfaceToServe } from './installed/interface-to-serve';
export { WebInterfaceModule } from './web-interface.module';
