import { createContext, useContext, type Context } from 'react';

/**
 * A service that the application makes once and provides around its pages, so that what stands below it needs no import
 * from there. Using it where it is not provided is a mistake in the composition.
 */
export function serviceContext<Service>(name: string): [Context<Service | null>, () => Service] {
  const context = createContext<Service | null>(null);
  const useService = (): Service => {
    const service = useContext(context);
    if (service === null) throw new Error(`No provider of ${name} around this component`);
    return service;
  };
  return [context, useService];
}
