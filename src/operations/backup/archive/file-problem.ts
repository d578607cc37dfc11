import { messageOf } from '../../../kernel/common';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist, or its folder does not',
  EEXIST: 'exists already',
  EACCES: 'may not be read or written by this user',
  EROFS: 'is on a file system that is read-only',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below something that is no folder',
  ENOSPC: 'does not fit: there is no space left on its disk',
  EDQUOT: 'does not fit: the quota of its disk is used up',
  EFBIG: 'does not fit: it would be larger than files may be here',
};

/** What is wrong with a file, in a sentence. */
export function describeProblem(file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `${file} ${SENTENCES[code] ?? `cannot be used: ${messageOf(error)}`}.`;
}
