// A release raises it in that file.
export { version as VERSION } from '../../package.json';
