export * from './search-query';
export * from './search-snippet';
export * from './search-words';
export * from './searched-texts';
