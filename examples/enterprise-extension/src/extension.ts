import { defineExtension } from 'org-conversation-service';
import { AdaptersModule } from './adapters/adapters.module';
import { MACHINES } from './adapters/machines.driver';
import { Note } from './notes/note.entity';
import { Notes1764000000000 } from './notes/notes.migration';
import { NotesModule } from './notes/notes.module';

/** What `EXTENSIONS=./dist/src/extension.js` adds to the service. */
export default defineExtension({
  name: 'acme',
  modules: [NotesModule, AdaptersModule],
  permissions: { 'acme:manage_notes': 'admin' },
  entities: [Note],
  migrations: [Notes1764000000000],
  sandboxDrivers: [MACHINES],
});
