export { maskJson } from './mask-json';
export { type MaskPattern } from './mask-pattern';
export { maskHead } from './mask-head';
export { maskText } from './mask-text';
export { MaskingStream } from './masking-stream';
