import { type Caller, type OrgContext } from '../../auth';
import { ModelPage, ModelSearch, ProviderPage } from './models.dto';
import { ModelsService } from './models.service';
export declare class ModelsController {
    private readonly models;
    constructor(models: ModelsService);
    searchModels(caller: Caller, org: OrgContext, query: ModelSearch): Promise<ModelPage>;
    searchProviders(caller: Caller, org: OrgContext, query: ModelSearch): Promise<ProviderPage>;
}
