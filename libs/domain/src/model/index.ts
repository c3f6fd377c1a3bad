export * from './list-models';
export * from './model-name';
export * from './program-models';
