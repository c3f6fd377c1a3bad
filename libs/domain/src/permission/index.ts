export * from './decide-tool-use';
export * from './tool-classes';
