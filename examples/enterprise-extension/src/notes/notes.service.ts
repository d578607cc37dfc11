import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Note } from './note.entity';

/** Keeps the notes of organizations. */
@Injectable()
export class NotesService {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  /** Newest first. */
  list(orgId: string, limit: number): Promise<Note[]> {
    return this.notes.find({ where: { orgId }, order: { createdAt: 'DESC' }, take: limit });
  }

  /** Adds a note; one whose id is there already stays as it is. */
  async add(id: string, orgId: string, text: string): Promise<void> {
    await this.notes.createQueryBuilder().insert().values({ id, orgId, text }).orIgnore().execute();
  }
}
