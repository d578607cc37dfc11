import 'reflect-metadata';
import { runService } from './run-service';

void runService();
