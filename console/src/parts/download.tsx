import type { JSX } from 'preact';
import { api, BASE, bodyOf } from '../api/client';
import { useOrganization } from '../app/organization';
import { useChange } from './load';
import { Failure } from './states';

/**
 * A button that gets a file; where that fails, says why.
 * @param props.get resolves when the browser has the file, or loads it by itself
 */
export function DownloadButton(props: { label: string; get: () => Promise<unknown> }): JSX.Element {
  const change = useChange();
  return (
    <>
      <button
        type="button"
        class="secondary outline"
        aria-busy={change.isBusy}
        onClick={() => void change.run(props.get)}
      >
        {props.label}
      </button>
      {change.error !== undefined && <Failure error={change.error} />}
    </>
  );
}

/**
 * A button with which the browser itself loads what may be large. Whether it may, and is signed in, is found out before that.
 * @param props.path of the service, with its query
 */
export function BrowserDownload({ label, path }: { label: string; path: string }): JSX.Element {
  const { id: org_id } = useOrganization();
  return (
    <DownloadButton
      label={label}
      get={async () => {
        await bodyOf(api.GET('/api/organizations/{org_id}/me', { params: { path: { org_id } } }));
        location.assign(BASE + path);
      }}
    />
  );
}

/** Has the browser keep a file that the page has. @param name that it is offered with */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
