export { startScriptedModel, type ScriptedModel } from './server/scripted-model';
export { type RecordedRequest } from './server/recorded-request';
