import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Caller } from '../../../kernel/auth';
import { Clock } from '../../../kernel/common';
import { SETTINGS, type Settings } from '../../../kernel/config';
import {
  DownloadSlots,
  MAX_ZIP_CONTENT_BYTES,
  MAX_ZIP_FILES,
  type ZipEntry,
  zipStream,
} from '../../../kernel/http';
import { type ExportedRecords, PersonalData, type PersonalScope } from '../../personal-data';

/** Bytes of a file, after which another one of the same name begins: so much of the archive is in memory at once. */
const FILE_BYTES = 4 * 1024 * 1024;

/** What is in the files of a name. */
interface Contents {
  readonly name: string;
  records: number;
  files: number;
}

const LIMITS = {
  atOnce: 4,
  ofUser: 1,
  refusal: 'An archive of your data is being written already; try again when it is done.',
};

/** All that there is of a person, as a zip archive of JSON Lines (docs/personal-data.md#export). */
@Injectable()
export class PersonalArchive {
  private readonly slots: DownloadSlots;

  constructor(
    private readonly personal: PersonalData,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.slots = new DownloadSlots(settings, LIMITS);
  }

  /**
   * Reads page after page as fast as the caller takes them; no connection is held in between.
   * @param gone ends it
   * @param type the media type that the response says
   * @throws TooManyDownloadsError
   */
  download({ userId, email, boundOrgId }: Caller, gone: AbortSignal, type: string): StreamableFile {
    const scope: PersonalScope = { userId, email, orgId: boundOrgId, ofAccount: boundOrgId === null };
    const archive = zipStream(this.files(scope, gone));
    const slot = { userId, orgId: boundOrgId ?? userId };
    return new StreamableFile(this.slots.fill(slot, archive), {
      type,
      disposition: 'attachment; filename="personal-data.zip"',
    });
  }

  private async *files(scope: PersonalScope, gone: AbortSignal): AsyncGenerator<ZipEntry> {
    const contents: Contents[] = [];
    let [files, bytes] = [0, 0];
    let isComplete = true;
    for (const records of this.personal.parts().flatMap((part) => part.exports?.(scope) ?? [])) {
      const of: Contents = { name: records.name, records: 0, files: 0 };
      contents.push(of);
      for await (const content of inFiles(records, of)) {
        if (gone.aborted) return;
        files += 1;
        bytes += Buffer.byteLength(content);
        // The last file is the one that says so.
        isComplete = files < MAX_ZIP_FILES && bytes <= MAX_ZIP_CONTENT_BYTES;
        if (!isComplete) break;
        of.files += 1;
        yield { name: `${records.name}/${String(of.files).padStart(6, '0')}.jsonl`, content };
      }
      if (!isComplete) break;
    }
    const { userId: user_id, orgId: org_id } = scope;
    const manifest = { user_id, org_id, made_at: this.clock.now(), is_complete: isComplete, contents };
    yield { name: 'manifest.json', content: `${JSON.stringify(manifest, null, 2)}\n` };
  }
}

/** Records as the contents of files, each of so many bytes or of one record. */
async function* inFiles(records: ExportedRecords, of: Contents): AsyncGenerator<string> {
  let lines: string[] = [];
  let bytes = 0;
  for await (const line of records.lines()) {
    lines.push(`${line}\n`);
    of.records += 1;
    bytes += Buffer.byteLength(line);
    if (bytes < FILE_BYTES) continue;
    yield lines.join('');
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield lines.join('');
}
