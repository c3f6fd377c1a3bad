import { parentPort } from 'node:worker_threads';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

const setAsHtml = (text: string) => micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage({ type: 'answered', answer: setAsHtml(text) });
});
// The first one takes several times what any other does.
setAsHtml('**a**');
parentPort?.postMessage({ type: 'ready' });
