import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api, bodyOf } from '../../api/client';
import { useOrganization } from '../../app/organization';
import { BrowserDownload } from '../../parts/download';
import { useLoad } from '../../parts/load';
import { Section } from '../../parts/page';
import { ago, say, texts } from '../../text';
import { EraseOwn } from './erase-own';

const words = texts.erasure;

/** What there is of the person: to be downloaded, and to be erased. */
export function OwnData(): JSX.Element {
  const { id, header } = useOrganization();
  const [isErasing, setErasing] = useState(false);
  const erasure = useLoad(
    (signal) => bodyOf(api.GET('/api/users/me/erasure', { params: { header }, signal })),
    [id],
  );
  const { state, asked_at: askedAt = null } = erasure.data ?? {};
  return (
    <Section title={words.own}>
      <p>{words.ownAbout}</p>
      {state === 'waiting' && askedAt !== null && <p>{say(words.ownWaits, { ago: ago(askedAt) })}</p>}
      <div class="buttons start">
        <BrowserDownload label={words.download} path="/api/users/me/export" />
        {state !== 'waiting' && (
          <button type="button" class="secondary outline" onClick={() => setErasing(true)}>
            {words.eraseMe}
          </button>
        )}
      </div>
      {isErasing && <EraseOwn onWaiting={erasure.reload} onClose={() => setErasing(false)} />}
    </Section>
  );
}
