export { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from './server/scripted-model';
export { type RecordedRequest } from './server/recorded-request';
