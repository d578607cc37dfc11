export { GitSearchModule } from './git-search.module';
