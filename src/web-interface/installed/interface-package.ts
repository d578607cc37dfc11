/** A package of the npm registry: what is fetched has to match it byte for byte. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the package, in the format of registries. */
  readonly integrity: string;
}

/** The package with the web interface. */
export interface InterfacePackage extends PinnedPackage {
  /** The editor that shows changes in files: the build itself would have browsers fetch it from a stranger. */
  readonly editor: EditorPackage;
}

/** The package with the editor, and where the build of the interface looks for it. */
export interface EditorPackage extends PinnedPackage {
  /** The address that stands in the build. */
  readonly address: string;
}

/** The one that this build of the service was tested with. */
export const INTERFACE_PACKAGE: InterfacePackage = {
  name: '@openhands/agent-canvas',
  version: '1.20.0',
  integrity:
    'sha512-uq28bmdMapsDN0ltp5ZHYm9xfuk7cHktNkd0NY38w/UTq25wJTqSKSPya+2+ky0+HpGX2vmn0uF3mHuNCoOb2w==',
  editor: {
    name: 'monaco-editor',
    version: '0.55.1',
    integrity:
      'sha512-jz4x+TJNFHwHtwuV9vA9rMujcZRb0CEilTEwG2rRSpe/A7Jdkuj8xPKttCgOh+v/lkHy7HsZ64oj+q3xoAFl9A==',
    address: 'https://cdn.jsdelivr.net/npm/monaco-editor@0.55.1/min/vs',
  },
};
