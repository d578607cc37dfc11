import { spawnSync } from 'node:child_process';

/** Whether rules of nftables can be made here. */
export const hasNftables = process.getuid?.() === 0 && spawnSync('nft', ['list', 'tables']).status === 0;
