import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainEvents } from '../../../kernel/domain-events';
import { ProfilesRepository } from '../record/profiles.repository';
import { AgentProfileRow } from './agent-profile.entity';

/** Agent profiles of users and organizations, which have no secrets. */
@Injectable()
export class AgentProfilesRepository extends ProfilesRepository<AgentProfileRow> {
  constructor(@InjectRepository(AgentProfileRow) stored: Repository<AgentProfileRow>, events: DomainEvents) {
    super(stored, events, 'agent_profiles');
  }

  protected opened(row: AgentProfileRow): AgentProfileRow {
    return row;
  }

  protected sealed(profile: AgentProfileRow): AgentProfileRow {
    return profile;
  }
}
