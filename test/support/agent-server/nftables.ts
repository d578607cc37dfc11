import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { digestOf } from '../../../src/common';

/** Whether rules of nftables can be made here. */
export const hasNftables = process.getuid?.() === 0 && spawnSync('nft', ['list', 'tables']).status === 0;

/** Where a machine is made for tests, nftables is there. */
export const withNftables = hasNftables || process.env.CI !== undefined ? describe : describe.skip;

/** The name of the table that a service makes for the sandboxes of its `DATA_DIR`. */
export function tableOf(dataDir: string): string {
  return `sandboxes_${digestOf(resolve(dataDir)).slice(0, 16)}`;
}

/** Whether a service has made a table that is still there. */
export function hasTableOf(dataDir: string): boolean {
  return hasNftables && spawnSync('nft', ['list', 'table', 'inet', tableOf(dataDir)]).status === 0;
}

/** Removes the table that a killed service left, if it made one. */
export function removeTableOf(dataDir: string): void {
  if (hasNftables) spawnSync('nft', ['delete', 'table', 'inet', tableOf(dataDir)]);
}
