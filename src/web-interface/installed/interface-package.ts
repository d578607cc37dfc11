/** The package of the web interface: what is fetched has to match it byte for byte. */
export interface InterfacePackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the package, in the format of registries. */
  readonly integrity: string;
}

/** The one that this build of the service was tested with. */
export const INTERFACE_PACKAGE: InterfacePackage = {
  name: '@openhands/agent-canvas',
  version: '1.20.0',
  integrity:
    'sha512-uq28bmdMapsDN0ltp5ZHYm9xfuk7cHktNkd0NY38w/UTq25wJTqSKSPya+2+ky0+HpGX2vmn0uF3mHuNCoOb2w==',
};
