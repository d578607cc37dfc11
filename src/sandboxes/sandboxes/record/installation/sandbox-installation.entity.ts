import { Entity, PrimaryColumn } from 'typeorm';

/** The one row that says which installation this database belongs to. */
@Entity('sandbox_installation')
export class SandboxInstallation {
  @PrimaryColumn('uuid')
  id!: string;
}
