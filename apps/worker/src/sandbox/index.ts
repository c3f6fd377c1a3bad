export { createSandbox, type SandboxSettings } from './create-sandbox';
export { INSIDE } from './inside-paths';
export type { Sandbox } from './sandbox';
export * from './sandbox.types';
