import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Something that counts once, and was used: the state of a sign-in, a logout token. */
@Entity('spent_tokens')
@Index('spent_tokens_expires_at', ['expiresAt'])
export class SpentToken {
  /** SHA-256 in hexadecimal. */
  @PrimaryColumn({ type: 'character', length: 64 })
  digest!: string;

  /** When it would be refused anyway. */
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
