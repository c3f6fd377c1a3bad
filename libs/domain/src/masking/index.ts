export { maskJson } from './mask-json';
export { parseMaskPattern, type MaskPattern, type RunCharacters } from './mask-pattern';
export { maskHead } from './mask-head';
export { maskText } from './mask-text';
export { MaskingStream } from './masking-stream';
