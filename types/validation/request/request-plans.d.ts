import { RequestPlan } from './request-plan';
/** A controller class. */
export type Controller = abstract new (...args: never[]) => object;
/** How the requests of each handler are checked, compiled from what the handler declares. */
export declare const RequestPlans: {
    /**
     * The plan of a handler; compiled once.
     * @throws Error when the handler takes a single path, query or body value instead of a class of them
     */
    for(controller: Controller, handler: string): RequestPlan;
};
