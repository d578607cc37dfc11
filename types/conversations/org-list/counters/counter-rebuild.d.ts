import type { DataSource } from 'typeorm';
/**
 * Recounts all conversations and sandboxes and replaces the counters, while others go on writing: what the
 * transaction does not see yet is among the changes that it does not see either, and stays there.
 * @returns how many conversations there are
 */
export declare function rebuildConversationCounts(service: DataSource): Promise<number>;
