import type { Column } from '../../parts/table';
import { texts } from '../../text';

/** Where a model or a provider is asked, and whether with a key. */
export const ADDRESS_COLUMNS: readonly Column<{
  readonly base_url: string | null;
  readonly api_key_set: boolean;
}>[] = [
  {
    key: 'base_url',
    name: texts.models.baseUrl,
    show: ({ base_url }) => base_url ?? texts.models.ofProvider,
  },
  {
    key: 'key',
    name: texts.models.key,
    show: ({ api_key_set }) => (api_key_set ? texts.models.keySet : texts.models.noKey),
  },
];
