export * from './built-in-options';
export * from './resolve-options';
