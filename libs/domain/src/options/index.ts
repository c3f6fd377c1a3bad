export * from './built-in-options';
export * from './option-limits';
export * from './resolve-options';
