import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentErrorsListener } from './agent-errors.listener';
import { Note } from './note.entity';
import { NotesController } from './notes.controller';
import { NotesService } from './notes.service';
import { WelcomeListener } from './welcome.listener';

@Module({
  imports: [TypeOrmModule.forFeature([Note])],
  controllers: [NotesController],
  providers: [AgentErrorsListener, NotesService, WelcomeListener],
})
export class NotesModule {}
